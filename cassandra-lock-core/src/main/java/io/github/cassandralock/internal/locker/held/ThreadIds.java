package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.internal.text.ProcessName;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names acquisitions by host and process for people, a random UUID so that no two lockers use one name, and a number. Thread-safe.
 */
public final class ThreadIds {

    private final String prefix;
    private final AtomicLong acquisitions = new AtomicLong();

    public ThreadIds() {
        prefix = ProcessName.ofThisProcess() + "-" + UUID.randomUUID() + "-";
    }

    /** The prefix of all names of this object. */
    public String prefix() {
        return prefix;
    }

    String next() {
        return prefix + acquisitions.incrementAndGet();
    }
}
