package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.internal.text.ProcessName;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names acquisitions: host and process for people, a random UUID so that two lockers never use the same name, and a number for
 * each acquisition. Thread-safe.
 */
public final class ThreadIds {

    private final String prefix;
    private final AtomicLong acquisitions = new AtomicLong();

    public ThreadIds() {
        prefix = ProcessName.ofThisProcess() + "-" + UUID.randomUUID() + "-";
    }

    /** All names of this object begin with it. */
    public String prefix() {
        return prefix;
    }

    String next() {
        return prefix + acquisitions.incrementAndGet();
    }
}
