package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.inspect.ForceReleaser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Sends the writes of the protocol that the work of {@link WorkerMain} does not need, by locks that no history is about: values of
 * locks, requests to force-release, calls that are published because they wait, and slots that outlive their process.
 *
 * @param worker which has a lock of its own
 */
record Errands(String worker, RemoteLocker locker, ForceReleaser releaser) {

    private static final String SHARED = "errand";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Other workers wait for longer than it takes until a waiting call is published. */
    private static final Duration WORK = Duration.ofSeconds(2);

    /** Longer than a worker needs to end. */
    private static final Duration LEFT_FOR = Duration.ofMinutes(1);

    /** Locks get lost meanwhile, which is what is meant to happen. */
    void runOnce() throws InterruptedException {
        try {
            locker.tryGetLock(LockRequest.of("left-" + worker).holdAtLeast(LEFT_FOR))
                    .ifPresent(RemoteLock::close);
            try (RemoteLock own = locker.getLock(SHARED + "-" + worker, PATIENCE);
                    RemoteLock shared = locker.getLock(SHARED, PATIENCE)) {
                shared.writeValue(own.getLockId().getBytes(StandardCharsets.UTF_8));
                TimeUnit.NANOSECONDS.sleep(WORK.toNanos());
            }
            releaser.forceRelease(SHARED, Optional.empty(), worker)
                    .toCompletableFuture()
                    .join();
        } catch (LockException | CompletionException e) {
            TimeUnit.NANOSECONDS.sleep(WORK.toNanos());
        }
    }
}
