package io.github.cassandralock.faults;

import static org.awaitility.Awaitility.await;

import io.github.cassandralock.faults.cluster.Fleet;
import io.github.cassandralock.faults.cluster.Nodes;
import io.github.cassandralock.faults.cluster.Worker;
import io.github.cassandralock.faults.nemesis.FaultSchedule;
import io.github.cassandralock.faults.nemesis.FaultTargets;
import io.github.cassandralock.faults.nemesis.Nemesis;
import io.github.cassandralock.faults.settings.FaultSettings;
import io.github.cassandralock.testing.clusters.WrongClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Three nodes, three workers, and everything that may happen to them. */
class FaultsIT {

    private static final Logger log = LoggerFactory.getLogger(FaultsIT.class);

    /** Costs five minutes in short: every kind of fault once. */
    @Test
    @Tag("slow")
    void noLockIsHeldTwiceWhateverHappensToNodesAndWorkers() throws Exception {
        long seed = FaultSettings.seed();
        Path directory = FaultSettings.directory("faults-" + seed);
        if (!WrongClock.isThere()) {
            log.warn("Clocks stay right: the operating system's package faketime is not installed");
        }
        FaultSchedule schedule = new FaultSchedule(seed, WrongClock.isThere());
        log.info(
                "Faults of seed {} (again: -Dfaults.seed={}), second node {} hours ahead; what workers note is in {}",
                seed,
                seed,
                schedule.nodeHoursAhead(),
                directory);
        try (Nodes nodes = Nodes.start(directory, schedule.nodeHoursAhead());
                Fleet fleet = new Fleet(FaultSchedule.WORKERS, nodes, directory, seed)) {
            fleet.worker(schedule.workerWithAWrongClock()).setHoursAhead(schedule.workerHoursAhead());
            fleet.start();
            Nemesis nemesis = new Nemesis(new FaultTargets(nodes, fleet));
            nemesis.begin();
            nemesis.run(schedule, FaultSettings.time());
            noticesStillArrive(fleet);
            fleet.stop();
            HistoryCheck.report(directory, fleet.histories(), nemesis.injections());
        }
    }

    /** Otherwise the faults of notices would have shown nothing. */
    private static void noticesStillArrive(Fleet fleet) {
        for (int number = 1; number <= Worker.WITH_NOTICES; number++) {
            Worker worker = fleet.worker(number);
            long before = worker.noticeBytes();
            await("notices to worker " + number)
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> worker.noticeBytes() > before);
        }
    }
}
