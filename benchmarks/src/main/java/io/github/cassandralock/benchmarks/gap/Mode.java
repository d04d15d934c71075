package io.github.cassandralock.benchmarks.gap;

/** How two processes share the work. */
enum Mode {
    /** Both work, all the time. */
    COPIES,
    /** One holds a lock for as long as it works, with the default lease; the other waits for the lock. */
    LOCK
}
