package io.github.cassandralock.benchmarks.measurement;

/**
 * A row of {@code keeping.json}: locks that are held all the while.
 *
 * @param algorithm who gave them
 * @param locks how many
 * @param seconds for how long
 * @param requests what was sent meanwhile
 */
public record KeepingResult(String algorithm, int locks, long seconds, long requests) {}
