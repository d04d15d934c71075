package io.github.cassandralock.internal.majority;

import java.util.concurrent.atomic.AtomicLong;

/** A different name for each request of one acquisition. Thread-safe. */
final class ThreadNames {

    private final String threadId;
    private final AtomicLong number = new AtomicLong();

    ThreadNames(String threadId) {
        this.threadId = threadId;
    }

    String next() {
        return threadId + "-" + number.incrementAndGet();
    }
}
