package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.faults.settings.FaultSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * How one process is configured. No two processes that run at the same time have the same settings, and a process that is
 * started again has others than before, as in a roll-out.
 */
record WorkerSettings(Duration lease, String clockDrift, Duration maxDuration) {

    /** The longest lease is more than three times the shortest, so renewals under the one are rarer than the other expires. */
    private static final List<WorkerSettings> LONG_RUN = List.of(
            new WorkerSettings(Duration.ofSeconds(2), "5%", Duration.ofMillis(50)),
            new WorkerSettings(Duration.ofSeconds(4), "20%", Duration.ZERO),
            new WorkerSettings(Duration.ofSeconds(8), "2%", Duration.ofMillis(200)));

    /** Faults last for multiples of the longest lease. */
    private static final List<WorkerSettings> SHORT_RUN = List.of(
            new WorkerSettings(Duration.ofSeconds(2), "5%", Duration.ofMillis(50)),
            new WorkerSettings(Duration.ofSeconds(3), "20%", Duration.ZERO),
            new WorkerSettings(Duration.ofSeconds(4), "2%", Duration.ofMillis(200)));

    static final List<WorkerSettings> ALL = FaultSettings.isShort() ? SHORT_RUN : LONG_RUN;

    static WorkerSettings of(int worker, int instance, long seed) {
        return ALL.get(Math.floorMod(worker + instance + seed, ALL.size()));
    }

    WorkerSettings withClockDrift(String other) {
        return new WorkerSettings(lease, other, maxDuration);
    }

    /**
     * The settings on the command line.
     *
     * @param notices whether the process exchanges notices
     * @param noticesReach where others reach this process: what is sent there arrives at the same port of the next address
     * @param noticesArrive the address at which it listens
     */
    List<String> arguments(boolean notices, InetSocketAddress noticesReach, InetAddress noticesArrive) {
        return List.of(
                "--cassandra-lock.lease=" + lease,
                "--cassandra-lock.clock-drift=" + clockDrift,
                "--cassandra-lock.local-handover.max-duration=" + maxDuration,
                "--cassandra-lock.notices.enabled=" + notices,
                "--cassandra-lock.notices.bind-address=" + noticesArrive.getHostAddress(),
                "--cassandra-lock.notices.advertised-address="
                        + noticesReach.getAddress().getHostAddress(),
                "--cassandra-lock.notices.port=" + noticesReach.getPort());
    }
}
