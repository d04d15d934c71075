package io.github.cassandralock.internal.inspect;

/** What this process knows about its own locks. */
public interface LocalInspection {

    /** How things stand at about this instant. Without I/O; does not block. Thread-safe. */
    LocalLocks localLocks();
}
