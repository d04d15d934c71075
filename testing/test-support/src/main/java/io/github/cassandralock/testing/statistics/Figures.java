package io.github.cassandralock.testing.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What grants cost. Each figure is counted or timed by itself, none is computed from another.
 *
 * @param meanMs from asking for the lock to having it
 * @param p50Ms the same, half of the grants were quicker
 * @param p99Ms the same, 99 in 100 were quicker
 * @param maxMs the same, the slowest
 * @param locksPerSecond grants to all processes together in the time from the start to the end of the last hold
 * @param dbOpsPerLock requests to the lock service, renewals and other work in the background included, for each grant
 * @param changedHands share of grants that went to another contender than the one before, 0 to 1
 * @param violations grants that began while as many threads as may hold the lock held it, and did not share it
 */
public record Figures(
        double meanMs,
        double p50Ms,
        double p99Ms,
        double maxMs,
        double locksPerSecond,
        double dbOpsPerLock,
        double changedHands,
        long violations) {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Sums up.
     *
     * @throws IllegalArgumentException if there was no grant
     */
    public static Figures of(List<Turn> turns) {
        double[] waits = turns.stream()
                .flatMap(turn -> turn.grants().stream())
                .mapToDouble(grant -> grant.waitedNanos() / NANOS_PER_MILLI)
                .sorted()
                .toArray();
        if (waits.length == 0) {
            throw new IllegalArgumentException("No lock was granted");
        }
        return new Figures(
                rounded(Arrays.stream(waits).average().orElseThrow()),
                rounded(percentile(waits, 0.50)),
                rounded(percentile(waits, 0.99)),
                rounded(waits[waits.length - 1]),
                rounded(waits.length
                        * NANOS_PER_SECOND
                        / turns.stream().mapToLong(Turn::nanos).sum()),
                rounded(turns.stream().mapToLong(Turn::requests).sum() / (double) waits.length),
                rounded(changes(turns)),
                turns.stream().mapToLong(Turn::violations).sum());
    }

    /** Of several measurements of the same: the median of each figure, and all violations. */
    public static Figures medians(List<Figures> all) {
        return new Figures(
                median(all, Figures::meanMs),
                median(all, Figures::p50Ms),
                median(all, Figures::p99Ms),
                median(all, Figures::maxMs),
                median(all, Figures::locksPerSecond),
                median(all, Figures::dbOpsPerLock),
                median(all, Figures::changedHands),
                all.stream().mapToLong(Figures::violations).sum());
    }

    public Figures withViolations(long count) {
        return new Figures(meanMs, p50Ms, p99Ms, maxMs, locksPerSecond, dbOpsPerLock, changedHands, count);
    }

    private static double median(List<Figures> all, ToDoubleFunction<Figures> figure) {
        return rounded(Median.of(all.stream().mapToDouble(figure).boxed().toList()));
    }

    /**
     * From the end of one hold to the begin of the next one, in milliseconds, where that one had been waiting for it. Not a number
     * if none had been waiting, and for locks that several hold at the same time by permits.
     */
    public static double handOverMs(List<Turn> turns) {
        OptionalDouble average = turns.stream()
                .filter(turn -> turn.permits() == 1)
                .flatMap(turn -> turn.byLock().stream())
                .flatMapToDouble(Figures::handOvers)
                .average();
        return average.isPresent() ? rounded(average.getAsDouble()) : Double.NaN;
    }

    private static DoubleStream handOvers(List<Grant> grants) {
        DoubleStream.Builder times = DoubleStream.builder();
        for (int i = 1; i < grants.size(); i++) {
            Grant before = grants.get(i - 1);
            Grant next = grants.get(i);
            if (next.askedAt() < before.leftAt()) {
                times.add((next.enteredAt() - before.leftAt()) / NANOS_PER_MILLI);
            }
        }
        return times.build();
    }

    private static double percentile(double[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    private static double changes(List<Turn> turns) {
        long followers = 0;
        long changes = 0;
        for (Turn turn : turns) {
            for (List<Grant> grants : turn.byLock()) {
                for (int i = 1; i < grants.size(); i++) {
                    followers++;
                    changes += grants.get(i).isOfSameContenderAs(grants.get(i - 1)) ? 0 : 1;
                }
            }
        }
        return followers == 0 ? 0 : changes / (double) followers;
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
