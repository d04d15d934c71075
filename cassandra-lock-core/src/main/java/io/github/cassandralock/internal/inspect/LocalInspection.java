package io.github.cassandralock.internal.inspect;

import java.util.function.Predicate;

/** What this process knows about its own locks. */
public interface LocalInspection {

    /**
     * Returns the state at about this instant. Does no I/O and does not block. Thread-safe.
     *
     * @param lockIds the locks that are listed and counted
     */
    LocalLocks localLocks(Predicate<String> lockIds);
}
