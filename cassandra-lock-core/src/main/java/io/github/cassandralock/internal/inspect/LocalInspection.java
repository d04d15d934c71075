package io.github.cassandralock.internal.inspect;

import java.util.function.Predicate;

/** Returns the locks that callers in this process hold and wait for. */
public interface LocalInspection {

    /**
     * Returns the state at about this instant. Does no I/O and does not block. Thread-safe.
     *
     * @param lockIds the locks that are listed and counted
     */
    LocalLocks localLocks(Predicate<String> lockIds);
}
