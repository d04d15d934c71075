package io.github.cassandralock.benchmarks.measurement;

/**
 * A row of {@code keeping.json}: locks that are held all the while.
 *
 * @param locks how many
 * @param seconds for how long
 * @param requests what was sent meanwhile
 */
public record KeepingResult(int locks, long seconds, long requests) {}
