package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.cassandralock.faults.cluster.Fleet;
import io.github.cassandralock.faults.cluster.Nodes;
import io.github.cassandralock.faults.cluster.Worker;
import io.github.cassandralock.faults.nemesis.FaultSchedule;
import io.github.cassandralock.faults.nemesis.FaultTargets;
import io.github.cassandralock.faults.nemesis.Nemesis;
import io.github.cassandralock.faults.settings.FaultSettings;
import io.github.cassandralock.testing.checkers.Window;
import io.github.cassandralock.testing.clusters.WrongClock;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Three nodes, and three workers whose monotonic clocks have different rates. */
@Tag("slow")
class ClockRatesIT {

    private static final Logger log = LoggerFactory.getLogger(ClockRatesIT.class);
    private static final int MOST_ROUNDS = 40;
    private static final long SEED = FaultSettings.seed();

    private static Nodes nodes;
    private static Path directory;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(WrongClock.isThere(), "faketime is not there; apt-get install faketime");
        directory = FaultSettings.directory("clocks-" + SEED);
        nodes = Nodes.start(directory, 0);
    }

    @AfterAll
    static void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    /** Costs three minutes. */
    @Test
    @Tag("nightly")
    void locksAreHeldOnceAtRatesWithinTheDrift() throws Exception {
        try (Fleet fleet = new Fleet(FaultSchedule.WORKERS, nodes, directory, SEED)) {
            fleet.worker(1).setClockRate(0.9, "20%");
            fleet.worker(2).setClockRate(1.0, "20%");
            fleet.worker(3).setClockRate(1.1, "20%");
            fleet.start();
            Nemesis nemesis = new Nemesis(new FaultTargets(nodes, fleet));
            nemesis.begin();
            nemesis.run(new FaultSchedule(SEED, true).clockRound());
            fleet.stop();
            HistoryCheck.report(directory, fleet.histories(), nemesis.injections());
        }
    }

    /** Otherwise the other test would show nothing. */
    @Test
    void locksAreHeldTwiceIfAWatchersClockIsFasterThanTheDrift() throws Exception {
        Path own = FaultSettings.directory("fast-clocks-" + SEED);
        try (Fleet fleet = new Fleet(FaultSchedule.WORKERS, nodes, own, SEED)) {
            fleet.worker(1).setClockRate(1.0, "5%");
            fleet.worker(2).setClockRate(1.3, "5%");
            fleet.worker(3).setClockRate(1.3, "5%");
            fleet.start();
            new Nemesis(new FaultTargets(nodes, fleet)).begin();
            assertThat(overlap(fleet, own))
                    .as("holds that overlap, after %s cuts; what workers noted is in %s", MOST_ROUNDS, own)
                    .isNotEmpty();
        }
    }

    /** Cuts the slow worker off while it holds a lock, until two workers hold one. */
    private static List<String> overlap(Fleet fleet, Path directory) throws Exception {
        Worker holder = fleet.worker(1);
        List<String> overlaps = List.of();
        Window always = new Window(System.nanoTime(), Long.MAX_VALUE);
        for (int round = 1; round <= MOST_ROUNDS && overlaps.isEmpty(); round++) {
            holder.awaitLongHold();
            holder.cutFrom(List.of(1, 2, 3));
            TimeUnit.NANOSECONDS.sleep(Fleet.LONGEST_LEASE.toNanos() * 3 / 2);
            holder.reconnectTo(List.of(1, 2, 3));
            overlaps = HistoryCheck.violations(directory, fleet.histories(), List.of(always)).stream()
                    .filter(violation -> violation.startsWith("Two held it at once"))
                    .toList();
            log.info("After {} cuts: {}", round, overlaps);
        }
        return overlaps;
    }
}
