package io.github.cassandralock.simulation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How messages travel: each with a delay of its own, so they overtake one another; some get lost, some are very late. */
public final class SimulatedNetwork {

    /** How long a client waits for an answer. */
    static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final SimulatedTime time;
    private final RandomGenerator random;
    private final double lossRate;
    private final double lateRate;

    /**
     * @param lossRate the share of messages that never arrive
     * @param lateRate the share that arrives after up to five seconds instead of milliseconds
     */
    public SimulatedNetwork(SimulatedTime time, RandomGenerator random, double lossRate, double lateRate) {
        this.time = time;
        this.random = random;
        this.lossRate = lossRate;
        this.lateRate = lateRate;
    }

    void send(Runnable arrival) {
        if (random.nextDouble() < lossRate) {
            return;
        }
        boolean late = random.nextDouble() < lateRate;
        time.at(Duration.ofNanos(random.nextLong(100_000, late ? 5_000_000_000L : 3_000_000L)), arrival);
    }

    void atTimeout(Runnable action) {
        time.at(TIMEOUT, action);
    }
}
