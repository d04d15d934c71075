package io.github.cassandralock.benchmarks.cost;

/**
 * A row of {@code costs.json}: what one operation of a kind costs.
 *
 * @param what the kind of operation
 * @param perSecond how many were answered a second
 * @param nodesCpuMs computing time of all nodes together for one of them, without what they take when idle
 * @param clientCpuMs the same of the client
 */
public record OperationCost(String what, double perSecond, double nodesCpuMs, double clientCpuMs) {}
