package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.faults.settings.FaultSettings;
import java.time.Duration;
import java.util.List;

/**
 * How one process is configured. No two processes that run at the same time have the same settings, and a process that is
 * started again has others than before, as in a roll-out.
 */
record WorkerSettings(Duration lease, String clockDrift, Duration longestPause, Duration maxTenure) {

    /** The longest lease is more than three times the shortest, so renewals under the one are rarer than the other expires. */
    private static final List<WorkerSettings> LONG_RUN = List.of(
            new WorkerSettings(Duration.ofSeconds(2), "5%", Duration.ofMillis(250), Duration.ofMillis(50)),
            new WorkerSettings(Duration.ofSeconds(4), "20%", Duration.ofMillis(100), Duration.ZERO),
            new WorkerSettings(Duration.ofSeconds(8), "2%", Duration.ofSeconds(1), Duration.ofMillis(200)));

    /** Faults last for multiples of the longest lease. */
    private static final List<WorkerSettings> SHORT_RUN = List.of(
            new WorkerSettings(Duration.ofSeconds(2), "5%", Duration.ofMillis(250), Duration.ofMillis(50)),
            new WorkerSettings(Duration.ofSeconds(3), "20%", Duration.ofMillis(100), Duration.ZERO),
            new WorkerSettings(Duration.ofSeconds(4), "2%", Duration.ofSeconds(1), Duration.ofMillis(200)));

    static final List<WorkerSettings> ALL = FaultSettings.isShort() ? SHORT_RUN : LONG_RUN;

    static WorkerSettings of(int worker, int instance, long seed) {
        return ALL.get(Math.floorMod(worker + instance + seed, ALL.size()));
    }

    List<String> arguments() {
        return List.of(
                "--cassandra-lock.lease=" + lease,
                "--cassandra-lock.clock-drift=" + clockDrift,
                "--cassandra-lock.poll.max=" + longestPause,
                "--cassandra-lock.local-handover.max-tenure=" + maxTenure);
    }
}
