package io.github.cassandralock.benchmarks.measurement;

import io.github.cassandralock.testing.results.Result;

/**
 * A row of {@code bookkeeping.json}.
 *
 * @param algorithm who gave the locks
 * @param perSecond the rate of a client that counts its requests
 * @param perSecondWithout the rate of one that does not
 * @param ratio of the first to the second
 * @param visible whether counting costs more than turns differ: every turn that counts is slower than every one that does not
 * @param planted whether the counting client was slowed on purpose
 */
public record BookkeepingResult(
        String algorithm, double perSecond, double perSecondWithout, double ratio, boolean visible, boolean planted) {

    public static BookkeepingResult of(Result counted, Result without, boolean planted) {
        double perSecond = counted.figures().locksPerSecond();
        double perSecondWithout = without.figures().locksPerSecond();
        return new BookkeepingResult(
                counted.algorithm(),
                perSecond,
                perSecondWithout,
                perSecond / perSecondWithout,
                counted.highestPerSecond() < without.lowestPerSecond(),
                planted);
    }
}
