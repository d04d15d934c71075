package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.faults.cluster.Fleet;
import io.github.cassandralock.faults.cluster.Nodes;
import io.github.cassandralock.faults.judge.History;
import io.github.cassandralock.faults.judge.Judge;
import io.github.cassandralock.faults.judge.Window;
import io.github.cassandralock.faults.schedule.FaultRun;
import io.github.cassandralock.faults.schedule.Scene;
import io.github.cassandralock.faults.schedule.Schedule;
import io.github.cassandralock.faults.workload.ProtectedFiles;
import io.github.cassandralock.it.FalseClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Three nodes, three workers, and everything that may happen to them. */
class FaultsIT {

    private static final Logger log = LoggerFactory.getLogger(FaultsIT.class);

    /** Costs two minutes: the most dangerous faults, once each. */
    @Test
    @EnabledIf("io.github.cassandralock.faults.FaultSettings#isShort")
    void noLockLiesInAQuickRound() throws Exception {
        run((run, schedule) -> run.runQuickly(schedule));
    }

    /** Costs five minutes in short: every kind of fault once. */
    @Test
    @Tag("slow")
    void noLockLiesWhateverHappensToNodesAndWorkers() throws Exception {
        run((run, schedule) -> run.run(schedule, FaultSettings.time()));
    }

    private interface Course {
        void of(FaultRun run, Schedule schedule) throws InterruptedException;
    }

    private static void run(Course course) throws Exception {
        long seed = FaultSettings.seed();
        Path directory = FaultSettings.directory("faults-" + seed);
        if (!FalseClock.isThere()) {
            log.warn("Clocks stay right: the operating system's package faketime is not installed");
        }
        Schedule schedule = new Schedule(seed, FalseClock.isThere());
        log.info(
                "Faults of seed {} (again: -Dfaults.seed={}), second node {} hours ahead; what workers note is in {}",
                seed,
                seed,
                schedule.nodeHoursAhead(),
                directory);
        try (Nodes nodes = Nodes.start(schedule.nodeHoursAhead());
                Fleet fleet = new Fleet(Schedule.WORKERS, nodes, directory, seed)) {
            fleet.worker(schedule.workerWithAWrongClock()).setHoursAhead(schedule.workerHoursAhead());
            fleet.start();
            FaultRun run = new FaultRun(new Scene(nodes, fleet));
            run.begin();
            course.of(run, schedule);
            fleet.stop();
            judge(directory, fleet.histories(), run.strikes());
        }
    }

    private static void judge(Path directory, List<History> histories, List<FaultRun.Strike> strikes)
            throws IOException {
        String report = FaultReport.of(histories, strikes);
        Files.writeString(directory.resolve("report.md"), report);
        log.info("What happened to the attempts to get a lock:\n{}", report);
        List<Window> windows = strikes.stream().map(FaultRun.Strike::window).toList();
        try (ProtectedFiles files = new ProtectedFiles(directory)) {
            ToLongFunction<String> counters = lockId -> {
                try {
                    return files.read(lockId);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
            assertThat(Judge.lies(histories, windows, counters))
                    .as("lies; what workers noted is in %s", directory)
                    .isEmpty();
        }
    }
}
