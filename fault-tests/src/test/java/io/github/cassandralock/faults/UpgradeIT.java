package io.github.cassandralock.faults;

import static org.awaitility.Awaitility.await;

import io.github.cassandralock.faults.cluster.Fleet;
import io.github.cassandralock.faults.cluster.Nodes;
import io.github.cassandralock.faults.cluster.Worker;
import io.github.cassandralock.faults.settings.FaultSettings;
import io.github.cassandralock.internal.cassandra.LockSchemaException;
import io.github.cassandralock.testing.checkers.Window;
import io.github.cassandralock.testing.processes.ApiBase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Processes of an earlier commit and of this build use the same locks on the same tables: in a rolling upgrade, and on the way back.
 * Costs two minutes. Catches rows, notices and rules of one version that the other does not understand.
 */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class UpgradeIT {

    private static final int WORKERS = 3;
    private static final Duration BOUND = Duration.ofMinutes(2);

    /** In each round, each worker gets a lock. */
    private static final int ROUNDS = 20;

    /** Connections without notices transfer less in {@link #BOUND}: a challenge now and then. */
    private static final int BYTES_OF_NOTICES = 10_000;

    /** Processes that start take much of a small machine, so leases may end. */
    private static final Window ALWAYS = new Window(Long.MIN_VALUE, Long.MAX_VALUE);

    /** What differs from the earlier commit on purpose. The changelog lists it. */
    private static final Set<Difference> ON_PURPOSE = Set.of();

    /** A difference that docs/guide/upgrading.md describes, with the message of the process that refuses the other version. */
    private enum Difference {
        TABLES(LockSchemaException.OF_EARLIER_VERSION),
        NOTICES("it sent no challenge of this version");

        private final String message;

        Difference(String message) {
            this.message = message;
        }

        void awaitRefusalBy(Worker worker) {
            await(message).atMost(BOUND).until(() -> worker.logged().contains(message));
        }
    }

    @Test
    void locksExcludeEachOtherInARollingUpgradeAndOnTheWayBack() throws Exception {
        String present = System.getProperty("java.class.path", "");
        String earlier = ApiBase.classPath("cassandra-lock-");
        Path directory = FaultSettings.directory("upgrade");
        try (Nodes nodes = Nodes.startOne();
                Fleet fleet = new Fleet(WORKERS, nodes, directory, FaultSettings.seed())) {
            fleet.workers().forEach(worker -> worker.setClassPath(earlier));
            fleet.start();
            awaitCompetition(fleet);
            fleet.workers().forEach(worker -> worker.setClassPath(present));
            Worker first = fleet.worker(1);
            first.replace();
            if (ON_PURPOSE.contains(Difference.TABLES)) {
                Difference.TABLES.awaitRefusalBy(first);
            } else {
                awaitCompetition(fleet);
                awaitNoticesBetweenVersions(first);
                rollOn(fleet, earlier);
            }
            fleet.stop();
            HistoryCheck.assertNoViolation(directory, fleet.histories(), List.of(ALWAYS));
        }
    }

    private static void rollOn(Fleet fleet, String earlier) {
        for (int number = 2; number <= WORKERS; number++) {
            fleet.worker(number).replace();
            awaitCompetition(fleet);
        }
        Worker back = fleet.worker(WORKERS);
        back.setClassPath(earlier);
        back.restart();
        awaitCompetition(fleet);
    }

    private static void awaitCompetition(Fleet fleet) {
        for (int round = 0; round < ROUNDS; round++) {
            long since = System.nanoTime();
            await("a lock for each worker")
                    .atMost(BOUND)
                    .until(() -> fleet.workers().stream().allMatch(worker -> worker.hasEnteredSince(since)));
        }
    }

    /** Of the others, only the second worker exchanges notices, and it is of the earlier version. */
    private static void awaitNoticesBetweenVersions(Worker upgraded) {
        if (ON_PURPOSE.contains(Difference.NOTICES)) {
            Difference.NOTICES.awaitRefusalBy(upgraded);
        } else {
            long before = upgraded.noticeBytes();
            await("notices of the earlier version")
                    .atMost(BOUND)
                    .until(() -> upgraded.noticeBytes() > before + BYTES_OF_NOTICES);
        }
    }
}
