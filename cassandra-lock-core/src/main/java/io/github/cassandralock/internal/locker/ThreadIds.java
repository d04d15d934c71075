package io.github.cassandralock.internal.locker;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names acquisitions: host and process for people, a random UUID so that two lockers never use the same name, and a number for
 * each acquisition. Thread-safe.
 */
final class ThreadIds {

    private final String prefix;
    private final AtomicLong acquisitions = new AtomicLong();

    ThreadIds() {
        prefix = ProcessName.ofThisProcess() + "-" + UUID.randomUUID() + "-";
    }

    /** What all names begin with that this object makes. */
    String prefix() {
        return prefix;
    }

    String next() {
        return prefix + acquisitions.incrementAndGet();
    }
}
