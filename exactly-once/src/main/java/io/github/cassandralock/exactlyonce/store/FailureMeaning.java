package io.github.cassandralock.exactlyonce.store;

/** What a store's failure says about the request that failed. */
public enum FailureMeaning {

    /** The request was not applied and never will be. The store would refuse it again. */
    REFUSED,

    /** The request was not applied and never will be. Another request may succeed. */
    NOT_APPLIED,

    /** The request may have been applied, or may be applied later. What is not known to be one of the others is this. */
    UNKNOWN
}
