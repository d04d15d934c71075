package io.github.cassandralock.benchmarks.limits;

/**
 * A row of {@code limits.json}.
 *
 * @param limit what there is much of
 * @param size how much of it
 * @param figure what was measured
 * @param value of the figure
 */
public record LimitRow(String limit, long size, String figure, double value) {}
