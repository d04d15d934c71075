package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What becomes of notices in a schedule.
 *
 * @param processes the share of processes that exchange notices
 * @param lossRate the share that never arrives
 * @param lateRate the share that arrives late
 * @param latest what late means
 * @param doubleRate the share that arrives twice
 * @param closedRate the share of pairs of processes of which one does not hear the other
 * @param keep for how long locks are kept
 */
public record NoticeFaults(
        double processes,
        double lossRate,
        double lateRate,
        Duration latest,
        double doubleRate,
        double closedRate,
        Duration keep) {

    /** No process exchanges notices. */
    static final NoticeFaults OFF = new NoticeFaults(0, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO);

    /** All processes do, and every notice arrives within a millisecond. */
    static final NoticeFaults NONE = new NoticeFaults(1, 0, 0, Duration.ZERO, 0, 0, Duration.ofMillis(25));

    NoticeFaults withLossRate(double rate) {
        return new NoticeFaults(processes, rate, lateRate, latest, doubleRate, closedRate, keep);
    }

    /** Notices are late, doubled and lost, by as much as the requests that they compete with. */
    static NoticeFaults races(SplittableRandom random) {
        return new NoticeFaults(
                random.nextInt(4) == 0 ? 0.7 : 1,
                random.nextBoolean() ? 0 : random.nextDouble(0.4),
                random.nextDouble(0.6),
                Duration.ofMillis(random.nextInt(1, 100)),
                random.nextDouble(0.3),
                random.nextInt(3) == 0 ? 0.3 : 0,
                Duration.ofMillis(random.nextInt(40)));
    }

    /** Notices arrive, and locks are kept for up to half a second. */
    static NoticeFaults longKept(SplittableRandom random) {
        return new NoticeFaults(
                1,
                random.nextDouble(0.1),
                0,
                Duration.ZERO,
                0,
                random.nextInt(3) == 0 ? 0.3 : 0,
                Duration.ofMillis(random.nextInt(100, 500)));
    }

    /** One more than the most times that a thread takes the lock in a schedule. */
    int rounds() {
        return processes > 0 ? 12 : 5;
    }

    /** Of everything something, decided by the seed. */
    static NoticeFaults any(SplittableRandom random) {
        Duration keep = Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(500) : random.nextInt(60));
        return switch (random.nextInt(6)) {
            case 0 -> new NoticeFaults(1, 0, 0, Duration.ZERO, 0, 0, keep);
            case 1 -> new NoticeFaults(1, 1, 0, Duration.ZERO, 0, 0, keep);
            case 2 ->
                new NoticeFaults(
                        1,
                        random.nextDouble(0.1),
                        random.nextDouble(0.5),
                        Duration.ofMillis(random.nextInt(1, 100)),
                        0.1,
                        0,
                        keep);
            case 3 ->
                new NoticeFaults(
                        random.nextDouble(0.3, 1), random.nextDouble(0.2), 0.05, Duration.ofSeconds(1), 0.1, 0.2, keep);
            default ->
                new NoticeFaults(
                        1,
                        random.nextDouble(0.3),
                        random.nextDouble(0.3),
                        Duration.ofMillis(random.nextInt(1, 90_000)),
                        random.nextDouble(0.3),
                        random.nextInt(3) == 0 ? 0.3 : 0,
                        keep);
        };
    }
}
