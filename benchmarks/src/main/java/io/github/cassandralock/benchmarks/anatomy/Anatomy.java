package io.github.cassandralock.benchmarks.anatomy;

/**
 * A row of {@code anatomy.json}: one lock and unlock, or what it is compared with.
 *
 * @param what is measured
 * @param roundTrips operations, one after the other
 * @param meanMs from the begin to the end, without tracing
 * @param p50Ms the same; half were quicker
 * @param clientShare of the time with tracing: this JVM and the way to the coordinator and back, 0 to 1
 * @param coordinatorShare the same: the coordinator, and the way from there to the replicas and back
 * @param replicaShare the same: the quickest other replica
 */
public record Anatomy(
        String what,
        double roundTrips,
        double meanMs,
        double p50Ms,
        double clientShare,
        double coordinatorShare,
        double replicaShare) {}
