package io.github.cassandralock.internal.ticket;

/**
 * How long one hand-over of a lock takes, in nanoseconds (protocol, section 8).
 *
 * @param cautious a low estimate, which rises slowly: to wait for too long delays all who wait
 * @param average what many hand-overs took on average: for what costs much and delays nobody
 */
record HandOverTime(long cautious, long average) {

    /** An estimate for want of a better one. */
    static HandOverTime guess(long nanos) {
        return new HandOverTime(nanos, nanos);
    }
}
