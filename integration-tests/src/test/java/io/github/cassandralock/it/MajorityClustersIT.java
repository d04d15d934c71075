package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.it.MajorityFleet.Instance;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.proxies.CuttableProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Instances that hold their locks in a majority of clusters, of which some are missing at the start, are cut off, forget tables,
 * or are listed in another way by another instance (docs/majority.md). {@link MajorityFleet} says what a cluster is here; real
 * ones are killed in {@link MajorityIT}. Costs half a minute in every build, and three minutes with those that are slow.
 */
@Tag("slow")
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class MajorityClustersIT {

    private static final Logger log = LoggerFactory.getLogger(MajorityClustersIT.class);
    private static final Duration SOON = MajorityFleet.SOON;
    private static final Duration LEASE = MajorityFleet.LEASE;

    private final CassandraCluster node;

    MajorityClustersIT(CassandraCluster node) {
        this.node = node;
    }

    private static void assertNoneIsLost(CountedUpdates updates, String what) {
        assertThat(updates.endAndCheck()).isEmpty();
        log.info("{}: {} updates, {} tokens", what, updates.count(), updates.tokens());
    }

    @Test
    void instanceStartsWithoutOneClusterAndCountsItWhenItIsThereAndMature(CapturedOutput output) {
        try (MajorityFleet fleet = new MajorityFleet(node, "one_missing", 3)) {
            List<CuttableProxy> links = fleet.links();
            links.get(2).refuse();
            Instance instance = fleet.start(links, "--cassandra-lock.majority.token-maturity=1s");
            assertThat(output.getOut().lines().filter(line -> line.contains("Locks start with a majority")))
                    .singleElement()
                    .asString()
                    .contains(
                            "2 of 3 clusters can be used",
                            "'west'",
                            "Cassandra cannot be reached",
                            "cassandra-lock.majority.clusters[2].contact-points");
            instance.awaitCounting("north", "south");
            try (RemoteLock lock = instance.application().locker().getLock("k", SOON)) {
                assertThat(lock.isHeld()).isTrue();
            }
            assertThat(LockHealth.of(instance.application()).status()).isEqualTo("UP");
            assertThat(LockHealth.of(instance.application()).details()).contains("west=does not answer");

            instance.heal();
            await("the row of the cluster that comes later")
                    .atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(instance.states().get(2).text()).contains("is young"));
            assertThat(instance.counting()).as("a cluster that was just born").containsExactly("north", "south");
            instance.awaitCounting("north", "south", "west");
            try (RemoteLock lock = instance.application().locker().getLock("k", SOON)) {
                await("tokens").atMost(SOON).ignoreExceptions().until(() -> lock.reserveFencingToken() > 0);
            }
        }
    }

    @Test
    void lockOfWorkThatHangsIsLostAndAnotherInstanceGetsIt() {
        try (MajorityFleet fleet = new MajorityFleet(node, "hanging_work", 3)) {
            RemoteLocker first = fleet.start(fleet.links()).application().locker();
            RemoteLocker second = fleet.start(fleet.links()).application().locker();
            RemoteLock hanging = first.getLock(LockRequest.of("k").holdAtMost(LEASE.dividedBy(2)), SOON);
            try (RemoteLock next = second.getLock("k", SOON)) {
                assertThat(hanging.isHeld()).isFalse();
                assertThat(next.isHeld()).isTrue();
            }
            assertThatThrownBy(hanging::ensureHeld)
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("holdAtMost");
        }
    }

    @Test
    @Tag("nightly")
    void instanceDoesNotStartWithoutTwoOfThreeClustersUnlessItIsLazy(CapturedOutput output) {
        try (MajorityFleet fleet = new MajorityFleet(node, "two_missing", 3)) {
            List<CuttableProxy> links = fleet.links();
            try (Instance before = fleet.start(links)) {
                before.awaitCounting("north", "south", "west");
            }
            links.get(1).refuse();
            links.get(2).refuse();
            assertThatThrownBy(() -> fleet.start(links))
                    .hasStackTraceContaining(
                            "Locks need a majority of the clusters, and only 1 of 3 clusters can be used")
                    .hasStackTraceContaining("'south'")
                    .hasStackTraceContaining("'west'");
            assertThat(output)
                    .contains("APPLICATION FAILED TO START", "cassandra-lock.startup: lazy")
                    .doesNotContain("Application run failed");

            Instance lazy = fleet.start(links, "--cassandra-lock.startup=lazy");
            lazy.awaitCounting("north");
            assertThatThrownBy(() -> lazy.application().locker().tryGetLock("k"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("'k'", "1 of 3 clusters count, and locks need 2", "Nothing is held");
            assertThatThrownBy(() -> lazy.application().locker().getLock("k", Duration.ofSeconds(1)))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("1 of 3 clusters count");
            assertThat(LockHealth.of(lazy.application()).status()).isEqualTo("DOWN");

            lazy.heal();
            lazy.application().locker().getLock("k", SOON).close();
            await("health")
                    .atMost(SOON)
                    .until(() -> LockHealth.of(lazy.application()).status().equals("UP"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Sessions {

        @Bean(defaultCandidate = false)
        @Lazy
        CqlSession northSession(CqlSessionBuilder builder) {
            return builder.build();
        }

        @Bean(defaultCandidate = false)
        @Lazy
        CqlSession southSession(CqlSessionBuilder builder) {
            return builder.build();
        }
    }

    @Test
    @Tag("nightly")
    void clustersMayBeNamedByTheirSessionsBesideOthersThatHaveContactPoints() {
        try (MajorityFleet fleet = new MajorityFleet(node, "by_session", 3)) {
            Instance byContactPoints = fleet.start();
            List<CuttableProxy> links = fleet.links();
            List<String> mixed = fleet.settings();
            String prefix = "--cassandra-lock.majority.clusters";
            mixed.addAll(List.of(
                    prefix + "[0].id=north",
                    prefix + "[0].session-bean=northSession",
                    prefix + "[0].keyspace=" + fleet.keyspace(0),
                    prefix + "[1].id=south",
                    prefix + "[1].session-bean=southSession",
                    prefix + "[1].keyspace=" + fleet.keyspace(1)));
            mixed.addAll(fleet.entry(2, "west", links.get(2), fleet.keyspace(2)));
            Instance bySessions = fleet.start(links, List.of(Application.Configuration.class, Sessions.class), mixed);
            fleet.awaitAllCounting();

            RemoteLock held = bySessions.application().locker().getLock("k", SOON);
            bySessions.cut(2);
            assertThat(byContactPoints.application().locker().tryGetLock("k")).isEmpty();
            assertThat(held.reserveFencingToken()).isPositive();
            bySessions.close();
            Optional<RemoteLock> next = byContactPoints.application().locker().tryGetLock("k");
            assertThat(next).as("the lock of an instance that has ended").isPresent();
            next.orElseThrow().close();
        }
    }

    @Test
    @Tag("nightly")
    @Tag("once")
    void fiveClustersServeWithoutTwoAndNobodyHoldsALockWithoutThree() {
        try (MajorityFleet fleet = new MajorityFleet(node, "of_five", 5);
                CountedUpdates updates = new CountedUpdates("of five")) {
            Instance one = fleet.start();
            Instance other = fleet.start();
            fleet.awaitAllCounting();
            updates.begin(one.application(), 2);
            updates.begin(other.application(), 2);
            updates.awaitMore("with all five");
            updates.longestGap();

            fleet.cut(0, 3);
            updates.awaitMore("without two of five");
            one.awaitCounting("south", "west", "middle");
            other.awaitCounting("south", "west", "middle");
            updates.awaitMore("without two that are known to be down");
            Duration gap = updates.longestGap();
            RemoteLock held = one.application().locker().getLock("held for long", SOON);
            CompletableFuture<LockLoss> lost = new CompletableFuture<>();
            held.onLost(lost::complete);

            fleet.cut(1);
            assertThat(lost).succeedsWithin(SOON).asString().contains("no majority");
            assertThat(held.isHeld()).isFalse();
            one.awaitCounting("west", "middle");
            other.awaitCounting("west", "middle");
            long before = updates.count();
            assertThatThrownBy(() -> other.application().locker().getLock("held for long", LEASE))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("2 of 5 clusters count, and locks need 3");
            assertThat(updates.count()).as("updates without a majority").isEqualTo(before);

            fleet.heal();
            fleet.awaitAllCounting();
            updates.awaitMore("when all five are back");
            assertNoneIsLost(updates, "five clusters, longest time without service after the loss of two: " + gap);
        }
    }

    @Test
    @Tag("nightly")
    @Tag("once")
    void noUpdateIsLostWhenOneClusterForgetsATable() {
        try (MajorityFleet fleet = new MajorityFleet(node, "forgets", 3);
                CountedUpdates updates = new CountedUpdates("forgetful")) {
            updates.begin(fleet.start().application(), 2);
            updates.begin(fleet.start().application(), 2);
            fleet.awaitAllCounting();
            updates.awaitMore("all clusters are well");
            updates.longestGap();
            String north = fleet.keyspace(0);
            String south = fleet.keyspace(1);
            forget(
                    fleet,
                    updates,
                    0,
                    "the birth row",
                    "DELETE FROM " + north + ".lock_sessions WHERE session = 00000000-0000-0000-0000-000000000001");
            forget(fleet, updates, 1, "the slots", "TRUNCATE " + south + ".lock_slots");
            forget(fleet, updates, 0, "the sessions", "TRUNCATE " + north + ".lock_sessions");
            forget(
                    fleet,
                    updates,
                    1,
                    "both tables",
                    "TRUNCATE " + south + ".lock_sessions",
                    "TRUNCATE " + south + ".lock_slots");
            forget(fleet, updates, 0, "a table that is dropped", "DROP TABLE " + north + ".lock_slots");
            assertNoneIsLost(updates, "five losses of tables");
        }
    }

    private static void forget(
            MajorityFleet fleet, CountedUpdates updates, int cluster, String what, String... statements) {
        fleet.execute(statements);
        for (Instance instance : fleet.instances()) {
            await(what + " is missed")
                    .atMost(SOON)
                    .until(() -> !instance.states().get(cluster).counts());
        }
        updates.awaitMore("while the cluster does not count that has forgotten " + what);
        fleet.awaitAllCounting();
        updates.awaitMore("after the loss of " + what);
        log.info(
                "{} lost: at most {} ms between two updates",
                what,
                updates.longestGap().toMillis());
    }

    @Test
    @Tag("nightly")
    @Tag("once")
    void noUpdateIsLostWhenOneClusterIsWipedTwiceInARow() {
        try (MajorityFleet fleet = new MajorityFleet(node, "wiped", 3);
                CountedUpdates updates = new CountedUpdates("wiped twice")) {
            updates.begin(fleet.start().application(), 2);
            updates.begin(fleet.start().application(), 2);
            fleet.awaitAllCounting();
            updates.awaitMore("all clusters are well");
            long tokens = updates.tokens();
            updates.longestGap();
            for (int round = 0; round < 2; round++) {
                int cluster = round;
                fleet.wipe(cluster);
                for (Instance instance : fleet.instances()) {
                    await("a row of its own")
                            .atMost(SOON)
                            .until(() -> instance.states().get(cluster).text().contains("is young"));
                }
                fleet.wipe(cluster);
                updates.awaitMore("while the cluster that was wiped twice does not count");
                fleet.awaitAllCounting();
                updates.awaitMore("when it counts again");
                fleet.wipe(cluster);
                updates.awaitMore("while the cluster that has counted is wiped again");
                fleet.awaitAllCounting();
            }
            assertThat(updates.tokens()).as("fencing tokens meanwhile").isGreaterThan(tokens);
            assertNoneIsLost(
                    updates, "six wipes, at most " + updates.longestGap().toMillis() + " ms between two updates");
        }
    }

    @Test
    void instancesThatSeeDifferentMajoritiesExcludeEachOtherAndAreServed() {
        try (MajorityFleet fleet = new MajorityFleet(node, "different", 3);
                CountedUpdates updates = new CountedUpdates("seen differently")) {
            Instance one = fleet.start();
            Instance other = fleet.start();
            fleet.awaitAllCounting();
            updates.begin(one.application(), 2);
            updates.begin(other.application(), 2);
            updates.awaitMore("all clusters are seen by both");

            one.cut(0);
            other.cut(1);
            one.awaitCounting("south", "west");
            other.awaitCounting("north", "west");
            updates.awaitMore(one.application(), "the one that does not see the first cluster");
            updates.awaitMore(other.application(), "the one that does not see the second cluster");

            other.cut(2);
            other.awaitCounting("north");
            updates.awaitMore(
                    one.application(), "the one that sees a majority, after the last holder of the other one");
            long before = updates.count(other.application());
            updates.awaitMore(one.application(), "the one that sees a majority");
            assertThat(updates.count(other.application()))
                    .as("updates of the one that sees a minority")
                    .isEqualTo(before);

            fleet.heal();
            fleet.awaitAllCounting();
            updates.awaitMore(other.application(), "the one that sees a majority again");
            assertNoneIsLost(updates, "different views");
        }
    }

    @Test
    @Tag("nightly")
    void instancesThatAreConfiguredDifferentlyTakeNoLocks(CapturedOutput output) {
        try (MajorityFleet fleet = new MajorityFleet(node, "lists", 5)) {
            List<CuttableProxy> links = fleet.links();
            Instance first = fleet.start(links, fleet.settings(links, 0, 1, 2));
            first.awaitCounting("north", "south", "west");

            assertRefused(fleet.settings(links, 1, 0, 2), "have the configuration 'cluster ");
            assertRefused(fleet.settings(links, 0, 1, 2, 3, 4), "have the configuration 'cluster ");
            List<String> longer = new ArrayList<>(fleet.settings(links, 0, 1, 2));
            longer.add("--cassandra-lock.majority.max-lease=1h");
            assertRefused(longer, "have the configuration 'cluster ");
            assertRefused(fleet.settings(links, 0, 1), "must list 3 or 5 clusters");
            assertRefused(fleet.settings(links, 0, 1, 2, 3), "must list 3 or 5 clusters");
            List<String> twice = fleet.settings();
            twice.addAll(fleet.entry(0, "a", links.get(3), fleet.keyspace(3)));
            twice.addAll(fleet.entry(1, "b", links.get(3), fleet.keyspace(3)));
            twice.addAll(fleet.entry(2, "c", links.get(4), fleet.keyspace(4)));
            assertRefused(twice, "'a' and 'b' are one cluster");

            List<String> alone = new ArrayList<>(node.arguments());
            alone.add("--cassandra-lock.keyspace=" + fleet.keyspace(0));
            assertRefused(alone, "belong to the algorithm 'majority' (cluster ");
            assertThat(output).contains("DELETE FROM " + fleet.keyspace(0) + ".lock_sessions WHERE session = 0");

            List<String> lazy = new ArrayList<>(fleet.settings(links, 1, 0, 2));
            lazy.add("--cassandra-lock.startup=lazy");
            Instance differing = fleet.start(links, lazy);
            await("the line of log").atMost(SOON).until(() -> output.getOut().contains("No lock can be taken."));
            assertThatThrownBy(() -> differing.application().locker().getLock("k", SOON))
                    .hasMessageContainingAll(
                            "'k'",
                            "have the configuration 'cluster ",
                            "correct its configuration (cassandra-lock.majority)");
            first.application().locker().getLock("k", SOON).close();
        }
    }

    private static void assertRefused(List<String> arguments, String text) {
        assertThatThrownBy(() -> Application.run(List.of(Application.Configuration.class), arguments)
                        .close())
                .hasStackTraceContaining(text);
    }
}
