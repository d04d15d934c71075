package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.majority.ClusterState;
import io.github.cassandralock.internal.majority.MajorityAlgorithm;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two instances that hold their locks in a majority of three clusters of one node each, of which one is killed, wiped
 * and started again under load, and then two are down at once. Costs four minutes.
 */
@Tag("slow")
@Tag("nightly")
@Tag("once")
@Timeout(value = 9, unit = TimeUnit.MINUTES)
class MajorityIT {

    private static final Logger log = LoggerFactory.getLogger(MajorityIT.class);
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final List<String> IDS = List.of("north", "south", "west");

    private final List<LocalCassandra> clusters = new ArrayList<>();
    private final List<Application> applications = new ArrayList<>();

    @AfterEach
    void end() {
        applications.forEach(Application::close);
        clusters.forEach(LocalCassandra::close);
    }

    private static void createKeyspace(LocalCassandra nodes) {
        Application.createKeyspace(CassandraCluster.local(nodes), Application.KEYSPACE, 1);
    }

    private Application started(List<LocalCassandra> entries) {
        CassandraCluster first = CassandraCluster.local(clusters.get(0));
        List<String> arguments = first.arguments();
        arguments.add("--cassandra-lock.algorithm=majority");
        arguments.add("--cassandra-lock.lease=" + LEASE);
        arguments.add("--cassandra-lock.keyspace=" + Application.KEYSPACE);
        for (int entry = 0; entry < entries.size(); entry++) {
            CassandraCluster cluster = CassandraCluster.local(entries.get(entry));
            String prefix = "--cassandra-lock.majority.clusters[" + entry + "].";
            arguments.add(prefix + "id=" + IDS.get(entry));
            arguments.add(prefix + "contact-points=" + cluster.contactPoints());
            arguments.add(prefix + "local-datacenter=" + cluster.localDatacenter());
        }
        Application application = Application.run(List.of(Application.Configuration.class), arguments);
        applications.add(application);
        return application;
    }

    private static List<ClusterState> states(Application application) {
        return application.context().getBean(MajorityAlgorithm.class).states();
    }

    private void awaitCounting(String... ids) {
        for (Application application : applications) {
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(states(application))
                            .filteredOn(ClusterState::counts)
                            .extracting(ClusterState::id)
                            .containsExactly(ids));
        }
    }

    private static void wipe(LocalCassandra nodes) throws IOException {
        Path storage = nodes.node(1).logFile().resolveSibling("storage");
        try (Stream<Path> files = Files.walk(storage)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(storage)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Kills the cluster, and lets it come back with empty disks. */
    private void killWipeAndStart(int cluster) throws IOException {
        clusters.get(cluster).node(1).kill();
        wipe(clusters.get(cluster));
        clusters.get(cluster).node(1).start();
        createKeyspace(clusters.get(cluster));
    }

    private void startClusters() throws Exception {
        for (int cluster = 0; cluster < IDS.size(); cluster++) {
            clusters.add(LocalCassandra.builder().heap("384m").start());
            createKeyspace(clusters.get(cluster));
        }
    }

    @Test
    void noUpdateIsLostWhenOneOfThreeIsKilledAndWipedTwiceInARow() throws Exception {
        startClusters();
        Application one = started(clusters);
        Application other = started(clusters);
        awaitCounting("north", "south", "west");
        try (CountedUpdates updates = new CountedUpdates("counter")) {
            updates.begin(one, 2);
            updates.begin(other, 2);
            updates.awaitMore("all clusters are well");
            long tokens = updates.tokens();
            updates.longestGap();
            for (int times = 0; times < 2; times++) {
                killWipeAndStart(1);
                killWipeAndStart(1);
                updates.awaitMore("after two wipes");
                awaitCounting("north", "south", "west");
            }
            assertThat(updates.tokens()).as("fencing tokens").isGreaterThan(tokens);
            assertThat(updates.endAndCheck()).isEmpty();
            log.info(
                    "{} updates and {} tokens over four wipes, at most {} ms between two updates",
                    updates.count(),
                    updates.tokens(),
                    updates.longestGap().toMillis());
        }
    }

    @Test
    void locksSurviveTheLossOfAClusterAndWaitWhileAMajorityIsGone() throws Exception {
        startClusters();
        Application one = started(clusters);
        Application other = started(clusters);
        awaitCounting("north", "south", "west");
        try (CountedUpdates updates = new CountedUpdates("counter")) {
            updates.begin(one, 2);
            updates.begin(other, 2);
            updates.awaitMore("all clusters are well");
            assertThat(updates.tokens()).as("fencing tokens").isPositive();

            clusters.get(1).node(1).kill();
            updates.awaitMore("one of three is killed");
            awaitCounting("north", "west");
            updates.awaitMore("one of three is known to be down");

            wipe(clusters.get(1));
            clusters.get(1).node(1).start();
            createKeyspace(clusters.get(1));
            updates.awaitMore("the killed one is back, empty");
            awaitCounting("north", "south", "west");

            RemoteLock held = one.locker().getLock("held for long");
            await("the third part").atMost(SOON).during(LEASE).until(held::isHeld);
            CompletableFuture<LockLoss> lost = new CompletableFuture<>();
            held.onLost(lost::complete);
            clusters.get(0).node(1).kill();
            awaitCounting("south", "west");
            updates.awaitMore("another one is killed");
            assertThat(held.isHeld())
                    .as("a lock that is held in all three, without one")
                    .isTrue();

            clusters.get(2).node(1).kill();
            assertThat(lost).as("the loss").succeedsWithin(SOON).asString().contains("no majority");
            assertThat(held.isHeld()).isFalse();
            awaitCounting("south");
            long before = updates.count();
            assertThatThrownBy(() -> other.locker().getLock("held for long", LEASE))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("1 of 3 clusters count, and locks need 2");
            assertThat(updates.count()).as("locks without a majority").isEqualTo(before);

            clusters.get(0).node(1).start();
            clusters.get(2).node(1).start();
            awaitCounting("north", "south", "west");
            updates.awaitMore("all are back");
            assertThat(updates.endAndCheck()).isEmpty();
        }

        assertThatThrownBy(() -> started(List.of(clusters.get(2), clusters.get(1), clusters.get(0))))
                .hasStackTraceContaining("The clusters 'north' and 'west' are one cluster")
                .hasStackTraceContaining("or their entries are exchanged");
        assertThatThrownBy(() -> started(List.of(clusters.get(0), clusters.get(1), clusters.get(1))))
                .hasStackTraceContaining("The clusters 'south' and 'west' are one cluster");
    }
}
