package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.internal.text.ProcessName;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names acquisitions. A name has the host and the process, for people. A random UUID distinguishes lockers, and a number
 * distinguishes acquisitions. Thread-safe.
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
