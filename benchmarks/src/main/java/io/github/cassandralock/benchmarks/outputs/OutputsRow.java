package io.github.cassandralock.benchmarks.outputs;

/**
 * A row of {@code outputs.json}: medians of all runs.
 *
 * @param oneWayMillis from the handler to the node
 * @param outputs queues to which each step writes one message
 * @param stepMs milliseconds of a step
 * @param toOne the same by the row of one output
 */
public record OutputsRow(long oneWayMillis, int outputs, double stepMs, double toOne) {}
