package io.github.cassandralock.benchmarks.plain;

/**
 * A row of {@code exactly-once-plain.json}: medians of all runs.
 *
 * @param group messages of a transaction
 * @param copies consumers at the same time
 * @param method messages a second by a method with {@code @ExactlyOnce}
 * @param byHand messages a second by a consumer written by hand
 * @param toHand the first of these by the second
 * @param toOneCopy the method's by what one copy of it does
 */
public record PlainRow(int group, int copies, double method, double byHand, double toHand, double toOneCopy) {}
