package io.github.cassandralock.cassandra;

import java.util.Locale;

/** The algorithms of locks. All processes that share locks must use one algorithm. */
public enum LockingAlgorithm {
    /**
     * First come, first served, except that threads of one process may go first for a bounded time. Has fencing tokens, and uses
     * no wall clock. The default.
     */
    TICKET,

    /** The queue of the thesis (docs/thesis.md): waiters are served in the order of their times of arrival. No fencing tokens. */
    QUEUE,

    /** The older algorithm that the thesis improves on: unfair, and without fencing tokens. */
    SHADOW,

    /** Holds a lock under two other algorithms at once, to change the algorithm instance by instance without downtime. */
    MIGRATION,

    /** Holds a lock in most of three or five independent clusters (docs/majority.md). Each cluster uses the algorithm ticket. */
    MAJORITY;

    /**
     * Returns the name as the configuration writes it.
     *
     * @return the name in lower case
     */
    public String getText() {
        return name().toLowerCase(Locale.ROOT);
    }
}
