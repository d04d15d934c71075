package io.github.cassandralock.cassandra;

import java.util.Locale;

/** The algorithms that take locks. All processes that share locks must use the same one. */
public enum LockingAlgorithm {
    /** First come, first served across processes; no wall clock takes part; has fencing tokens. The default. */
    TICKET,

    /** The queue of the thesis (docs/thesis.md): first come, first served by the time of arrival; no fencing tokens. */
    QUEUE,

    /** The older algorithm that the thesis improves on: unfair; no fencing tokens. */
    SHADOW,

    /** Holds a lock under two of the others at once, to change the algorithm instance by instance without downtime. */
    MIGRATION,

    /** Holds a lock in most of three or five independent clusters (docs/majority.md), each of which uses the algorithm ticket. */
    MAJORITY;

    /**
     * The name as the configuration writes it.
     *
     * @return the name in lower case
     */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
