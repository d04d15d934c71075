package io.github.cassandralock.internal.exactlyonce;

/** What is counted of a copy. */
public enum Counted {

    /** Steps that this copy decided; of a sink, messages that its transactions took. */
    STEP,

    /** Messages that these steps took; of a pump, rows that are in its queue. */
    MESSAGE,

    /** Compare-and-sets and transactions without effect, because another copy was faster. */
    REFUSED,

    /** Calls of the user's function that threw, transactions that failed, and requests to an outbox. */
    FAILURE,

    /** Messages that were parked. */
    PARKED,

    /** Reports of steps that take longer than the limit. */
    OVERDUE,

    /** Messages that did not follow their predecessor of the same producer: a store has lost something. */
    VIOLATION
}
