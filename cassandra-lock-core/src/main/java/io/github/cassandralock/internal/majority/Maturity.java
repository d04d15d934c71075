package io.github.cassandralock.internal.majority;

/** How long a cluster has certainly not forgotten anything. An incarnation only becomes more mature. */
public enum Maturity {

    /** Parts that were granted before the cluster forgot them may still be valid: the cluster does not count. */
    YOUNG,

    /** The cluster counts. Its registers of tokens are written, but not read. */
    MATURE,

    /** The cluster counts, and fencing tokens are read from it. */
    TOKEN_MATURE;

    /** Whether it is this maturity or a later one. */
    boolean isAtLeast(Maturity other) {
        return compareTo(other) >= 0;
    }
}
