package io.github.cassandralock.local;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.aether.transfer.AbstractTransferListener;
import org.eclipse.aether.transfer.TransferEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the progress of a first download. Called by several threads of the resolver at a time. */
final class DownloadProgress extends AbstractTransferListener {

    private static final Logger log = LoggerFactory.getLogger(DownloadProgress.class);
    private static final int FILES_PER_LINE = 40;
    private static final double BYTES_PER_MEGABYTE = 1_000_000;

    private final String what;
    private final long startNanos = System.nanoTime();
    private final AtomicBoolean announced = new AtomicBoolean();
    private final AtomicInteger files = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    DownloadProgress(String what) {
        this.what = what;
    }

    @Override
    public void transferInitiated(TransferEvent event) {
        if (announced.compareAndSet(false, true)) {
            log.info(
                    "{} is not complete in the local Maven repository; downloading from {}",
                    what,
                    event.getResource().getRepositoryUrl());
        }
    }

    @Override
    public void transferSucceeded(TransferEvent event) {
        long total = bytes.addAndGet(event.getTransferredBytes());
        int count = files.incrementAndGet();
        if (count % FILES_PER_LINE == 0) {
            log.info("{}: {} files, {} MB so far", what, count, megabytes(total));
        }
    }

    void finished(int jars) {
        double seconds = Duration.ofNanos(System.nanoTime() - startNanos).toMillis() / 1000.0;
        if (files.get() > 0) {
            log.info(
                    "{}: {} jars are there after {} s, {} files with {} MB downloaded",
                    what,
                    jars,
                    seconds,
                    files.get(),
                    megabytes(bytes.get()));
        } else {
            log.debug("{}: {} jars resolved in {} s, nothing downloaded", what, jars, seconds);
        }
    }

    private static long megabytes(long bytes) {
        return Math.round(bytes / BYTES_PER_MEGABYTE);
    }
}
