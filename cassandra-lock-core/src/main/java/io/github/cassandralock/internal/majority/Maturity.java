package io.github.cassandralock.internal.majority;

/** How long a cluster certainly has not forgotten anything. An incarnation only becomes more mature. */
public enum Maturity {

    /** Parts that were granted before the cluster forgot them may still be valid: the cluster does not count. */
    YOUNG,

    /** The cluster counts. Its registers of tokens are written, but not read. */
    MATURE,

    /** Fencing tokens are read from it, too. */
    TOKEN_MATURE;

    /** Whether it is this maturity, or a later one. */
    boolean isAtLeast(Maturity other) {
        return compareTo(other) >= 0;
    }
}
