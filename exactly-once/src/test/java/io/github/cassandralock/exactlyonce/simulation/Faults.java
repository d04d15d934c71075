package io.github.cassandralock.exactlyonce.simulation;

import java.util.SplittableRandom;

/**
 * What goes wrong in a schedule.
 *
 * @param unknown how often the outcome of a write is unknown: not applied, applied, or applied later, a third each
 * @param lateness after how many steps at most a late write lands
 * @param unavailable how often a store does not answer
 * @param stale how often a read shows an old version
 * @param crashes how often a copy is killed, at each request
 * @param stops how often a copy stands still, at each request
 * @param standstill for how many steps at most
 * @param switches how often another thread goes on at a request
 * @param chaos how many steps these faults last
 */
record Faults(
        double unknown,
        int lateness,
        double unavailable,
        double stale,
        double crashes,
        double stops,
        int standstill,
        double switches,
        int chaos) {

    /** Some of everything. */
    static Faults mixed(SplittableRandom random) {
        return new Faults(
                random.nextDouble() * 0.1,
                20 + random.nextInt(400),
                random.nextDouble() * 0.03,
                random.nextDouble() * 0.2,
                random.nextDouble() * 0.01,
                random.nextDouble() * 0.01,
                20 + random.nextInt(600),
                random.nextBoolean() ? 0.3 : 0.1 + random.nextDouble() * 0.9,
                300 + random.nextInt(1_500));
    }

    /** Many unknown outcomes, many old reads, copies that stand still for long: what is rare elsewhere. */
    static Faults hard(SplittableRandom random) {
        return new Faults(
                0.2, 300, 0.01, 0.3, 0.01, 0.02, 1_000, 0.2 + random.nextDouble() * 0.8, 600 + random.nextInt(1_500));
    }

    /** Nothing but old reads now and then. */
    Faults afterChaos() {
        return new Faults(0.01, 20, 0, Math.min(stale, 0.1), 0, 0, 1, switches, 0);
    }
}
