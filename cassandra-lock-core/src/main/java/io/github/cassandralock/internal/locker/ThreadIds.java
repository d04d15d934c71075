package io.github.cassandralock.internal.locker;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names acquisitions: host and process for people, a random UUID per locker so that two on one host never share a name,
 * and a number per acquisition. Thread-safe.
 */
final class ThreadIds {

    private final String prefix;
    private final AtomicLong acquisitions = new AtomicLong();

    ThreadIds() {
        prefix = ProcessName.ofThisProcess() + "-" + UUID.randomUUID() + "-";
    }

    String next() {
        return prefix + acquisitions.incrementAndGet();
    }
}
