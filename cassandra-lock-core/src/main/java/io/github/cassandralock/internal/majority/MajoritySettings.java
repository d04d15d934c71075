package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;
import java.util.List;

/**
 * The settings of the majority.
 *
 * @param lease of the locks in each cluster
 * @param maxLease the limit for the leases of all processes that share the locks; equal in all processes
 * @param clusterTimeout how long an answer of a cluster may take
 * @param strengthen whether holders take more than a majority, in the background
 * @param tokenMaturity for how long the calendars of processes may be wrong in sum; equal in all processes
 */
public record MajoritySettings(
        Duration lease, Duration maxLease, Duration clusterTimeout, boolean strengthen, Duration tokenMaturity) {

    /** Parts are valid for at most lease · (1 − ε) by their holder's clock. Rates differ by at most a quarter. */
    private static final double MARGIN = 1.25;

    /** @throws IllegalArgumentException if the lease is longer than the longest lease */
    public MajoritySettings {
        if (lease.compareTo(maxLease) > 0) {
            throw new IllegalArgumentException("The lease of " + DurationText.of(lease)
                    + " is longer than the longest lease of the majority, " + DurationText.of(maxLease)
                    + ". Shorten the lease, or raise the longest lease in all processes");
        }
    }

    /**
     * The text that all processes must have in common.
     *
     * @param ids of the clusters, in their order
     * @param id of the cluster that keeps the text
     */
    String agreement(List<String> ids, String id) {
        return "cluster " + id + " of " + String.join(",", ids) + "; max-lease " + maxLease + "; token-maturity "
                + tokenMaturity;
    }

    /** How long a new cluster must be watched before it counts. */
    Duration ripening() {
        return withMargin(maxLease);
    }

    /** How long a new cluster must be watched before tokens are read from it. */
    Duration tokenRipening() {
        return withMargin(tokenMaturity.plus(maxLease));
    }

    private static Duration withMargin(Duration duration) {
        return Duration.ofNanos((long) Math.ceil(duration.toNanos() * MARGIN));
    }

    /** The time between two reads of a birth row. */
    Duration watchInterval() {
        return lease.dividedBy(10);
    }

    /** The age up to which the last answer shows that a cluster answers. It allows one read without an answer in time. */
    Duration patience() {
        return watchInterval().plus(clusterTimeout);
    }

    /** The pause before a read that failed at once is repeated. */
    Duration retry() {
        return clusterTimeout.dividedBy(4);
    }

    /** When a holder first requests more parts. Most short locks end before. */
    Duration firstStrengthening() {
        return lease.dividedBy(10);
    }

    /** The interval in which a holder requests more parts again. */
    Duration strengthening() {
        return lease.dividedBy(3);
    }

    /** The first pause after a pass without a majority. Each further pause is twice as long. */
    Duration firstPause() {
        return lease.dividedBy(60);
    }

    Duration longestPause() {
        return lease.dividedBy(3);
    }
}
