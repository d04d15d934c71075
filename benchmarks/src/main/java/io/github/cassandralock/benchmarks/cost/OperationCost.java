package io.github.cassandralock.benchmarks.cost;

/**
 * A row of {@code costs.json}: what one operation of a kind costs.
 *
 * @param what the kind of operation
 * @param perSecond how many were answered a second
 * @param nodesCpuMs computing time of all nodes together for one of them, without what they take when idle
 * @param clientCpuMs computing time of the client for one of them
 * @param clientBytes how many bytes the client allocated for one of them, in the driver and elsewhere
 */
public record OperationCost(String what, double perSecond, double nodesCpuMs, double clientCpuMs, double clientBytes) {}
