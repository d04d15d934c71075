package io.github.cassandralock.internal.netty;

import io.github.cassandralock.internal.notice.UnsentFrame;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The frames that wait for the transport's thread. Their number and bytes are bounded. Thread-safe. */
final class HandedOver {

    static final int MOST_FRAMES = 16_384;
    static final long MOST_BYTES = 16L * 1024 * 1024;

    private final AtomicInteger frames = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** @return false if the frame is to be dropped */
    boolean add(UnsentFrame frame) {
        int waiting = frames.incrementAndGet();
        long length = bytes.addAndGet(frame.length());
        if (waiting <= MOST_FRAMES && length <= MOST_BYTES) {
            return true;
        }
        remove(frame);
        return false;
    }

    /** Removes a frame that the thread takes, or never will. */
    void remove(UnsentFrame frame) {
        frames.decrementAndGet();
        bytes.addAndGet(-frame.length());
    }
}
