package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.checkers.History;
import io.github.cassandralock.testing.checkers.HistoryChecker;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.workload.ProtectedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The guide's roll-out, with real processes under load: the instances are restarted one after the other, from step to step,
 * and one of them is killed while it holds the lock. Not one update may be lost.
 */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RollingMigrationIT {

    private static final Logger log = LoggerFactory.getLogger(RollingMigrationIT.class);
    private static final String KEYSPACE = "rolling";
    private static final int UPDATES = 5;

    /** Keyspaces of one node are clusters to the majority: each has tables, sessions and a birth row of its own. */
    private static final List<String> CLUSTERS = List.of("north", "south", "west");

    private final CassandraCluster cluster;
    private final String lockId = "rolling-" + UUID.randomUUID();

    /** All that were started. */
    private final List<CounterProcess> instances = new ArrayList<>();

    private final List<CounterProcess> running = new ArrayList<>();

    @TempDir
    private Path directory;

    RollingMigrationIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void killWhatIsLeft() throws InterruptedException {
        for (CounterProcess instance : instances) {
            instance.endAtOnce();
        }
    }

    private static List<Arguments> migrations() {
        return List.of(
                Arguments.of(3, "shadow", "queue", "shadow", "migration", "queue"),
                Arguments.of(2, "shadow", "queue", "queue", "migration", "shadow"),
                Arguments.of(2, "ticket", "majority", "ticket", "migration", "majority"),
                Arguments.of(2, "ticket", "majority", "majority", "migration", "ticket"),
                Arguments.of(3, "shadow", "ticket", "shadow", "migration", "ticket"),
                Arguments.of(2, "queue", "ticket", "queue", "migration", "ticket"),
                Arguments.of(2, "shadow", "ticket", "ticket", "migration", "shadow"));
    }

    /**
     * A case costs a minute or two: each process that starts costs ten seconds. With two instances, each step meets the step before
     * it.
     */
    @ParameterizedTest(name = "{0} instances from {1} to {2}, in the steps {3}, {4}, {5}")
    @Tag("slow")
    @Tag("nightly")
    @Tag("once")
    @MethodSource("migrations")
    void noUpdateIsLostAndNoTwoHoldersOverlap(
            int count, String from, String to, String before, String meanwhile, String after) throws Exception {
        begin(count, from, to, before);
        awaitUpdatesOfAll();
        rollOut(from, to, meanwhile);
        killOneThatHoldsTheLock(from, to, meanwhile);
        rollOut(from, to, after);
        end();
        assertThat(instances)
                .filteredOn(CounterProcess::isUnderTheLock)
                .as("killed under the lock")
                .hasSize(1);
        assertNoUpdateIsLost();
    }

    /** Costs half a minute: one step, in which an instance with the old algorithm and one that migrates meet. */
    @Test
    @Tag("nightly")
    @Tag("slow")
    void noUpdateIsLostWhileOneCounterProcessMigratesAndAnotherOneDoesNotYet() throws Exception {
        begin(2, "queue", "ticket", "queue");
        awaitUpdatesOfAll();
        replace(0, "queue", "ticket", "migration");
        awaitUpdatesOfAll();
        end();
        assertThat(instances).filteredOn(CounterProcess::isUnderTheLock).isEmpty();
        assertNoUpdateIsLost();
    }

    private void begin(int count, String from, String to, String algorithm) throws IOException {
        Application.createKeyspace(cluster, KEYSPACE, 1);
        CLUSTERS.forEach(id -> Application.createKeyspace(cluster, KEYSPACE + "_" + id, 1));
        if (algorithm.equals("majority")) {
            awaitMaturity(from, to);
        }
        for (int number = 0; number < count; number++) {
            running.add(start(from, to, algorithm));
        }
    }

    /** New clusters do not count at first, and a request that only tries fails then. An earlier case may have made them. */
    private void awaitMaturity(String from, String to) {
        try (Application application =
                Application.run(List.of(Application.Configuration.class), settings(from, to, "majority"))) {
            application.locker().getLock("mature", Duration.ofMinutes(1)).close();
        }
    }

    private void end() throws Exception {
        for (CounterProcess instance : running) {
            instance.stop();
        }
    }

    private List<String> settings(String from, String to, String algorithm) {
        List<String> settings = new ArrayList<>(cluster.arguments());
        settings.add("--spring.cassandra.keyspace-name=" + KEYSPACE);
        settings.add("--cassandra-lock.keyspace=" + KEYSPACE);
        settings.add("--cassandra-lock.lease=4s");
        settings.add("--cassandra-lock.algorithm=" + algorithm);
        settings.add("--cassandra-lock.migration.from=" + from);
        settings.add("--cassandra-lock.migration.to=" + to);
        for (int number = 0; number < CLUSTERS.size(); number++) {
            String entry = "--cassandra-lock.majority.clusters[" + number + "].";
            settings.add(entry + "id=" + CLUSTERS.get(number));
            settings.add(entry + "contact-points=" + cluster.contactPoints());
            settings.add(entry + "local-datacenter=" + cluster.localDatacenter());
            settings.add(entry + "keyspace=" + KEYSPACE + "_" + CLUSTERS.get(number));
        }
        return settings;
    }

    private CounterProcess start(String from, String to, String algorithm) throws IOException {
        CounterProcess instance = CounterProcess.start(
                "instance-" + (instances.size() + 1),
                lockId,
                directory,
                List.of(LockMode.EXCLUSIVE),
                settings(from, to, algorithm));
        instances.add(instance);
        return instance;
    }

    private void rollOut(String from, String to, String algorithm) throws Exception {
        for (int number = 0; number < running.size(); number++) {
            replace(number, from, to, algorithm);
        }
        awaitUpdatesOfAll();
    }

    private void replace(int number, String from, String to, String algorithm) throws Exception {
        running.get(number).stop();
        running.set(number, start(from, to, algorithm));
        running.get(number).awaitUses(UPDATES);
    }

    private void awaitUpdatesOfAll() {
        running.forEach(instance -> instance.awaitUses(UPDATES));
    }

    private void killOneThatHoldsTheLock(String from, String to, String algorithm) throws Exception {
        running.get(1).killUnderTheLock(LockMode.EXCLUSIVE);
        running.set(1, start(from, to, algorithm));
        awaitUpdatesOfAll();
    }

    /** No two held the lock at the same time, and each holder read what the previous one had written. */
    private void assertNoUpdateIsLost() throws IOException {
        List<History> histories =
                instances.stream().map(CounterProcess::history).toList();
        try (ProtectedFiles counters = new ProtectedFiles(directory)) {
            long counted = counters.read(lockId);
            log.info("{} updates by {} processes", counted, instances.size());
            assertThat(HistoryChecker.violations(histories, List.of(), lock -> counted))
                    .isEmpty();
        }
    }
}
