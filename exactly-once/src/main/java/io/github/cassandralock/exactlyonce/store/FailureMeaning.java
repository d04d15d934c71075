package io.github.cassandralock.exactlyonce.store;

/** What a failure of a store means for the request that failed. */
public enum FailureMeaning {

    /** The request was not applied and never will be. The store would refuse a repetition. */
    REFUSED,

    /** The request was not applied and never will be. Another request may succeed. */
    NOT_APPLIED,

    /** The request may have been applied, or may be applied later. Every failure whose meaning is not certain is of this kind. */
    UNKNOWN
}
