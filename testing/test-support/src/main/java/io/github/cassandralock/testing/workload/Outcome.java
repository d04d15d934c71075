package io.github.cassandralock.testing.workload;

/** How an attempt to get and use a lock ends. */
public enum Outcome {
    /** The lock was had, and given back. */
    RELEASED,

    /** The lock was taken, and the attempt was not to wait. */
    REFUSED,

    /** It was not had in time. */
    TIMED_OUT,

    /** It was had, and the lease ran out. */
    LOST,

    /** Cassandra could not be reached, or did not answer in time. */
    FAILED
}
