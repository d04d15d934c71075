package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.faults.cluster.Fleet;
import io.github.cassandralock.faults.cluster.Nodes;
import io.github.cassandralock.faults.cluster.SmallDisk;
import io.github.cassandralock.faults.nemesis.Fault;
import io.github.cassandralock.faults.nemesis.FaultSchedule;
import io.github.cassandralock.faults.nemesis.FaultTargets;
import io.github.cassandralock.faults.nemesis.Nemesis;
import io.github.cassandralock.faults.nemesis.TopologyChanges;
import io.github.cassandralock.faults.settings.FaultSettings;
import io.github.cassandralock.local.LocalCassandraBuilder;
import io.github.cassandralock.local.NodeOptions;
import io.github.cassandralock.testing.checkers.History;
import io.github.cassandralock.testing.checkers.Window;
import io.github.cassandralock.testing.results.PresentCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;

/** Workers under load while the cluster changes. */
@Tag("slow")
@Tag("nightly")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class TopologyIT {

    private static final long SEED = FaultSettings.seed();
    private static final String OLD = "4.1.9";
    private static final String NEW = System.getProperty("cassandra.version", "");

    private static final Window ALWAYS = new Window(Long.MIN_VALUE, Long.MAX_VALUE);

    private static final List<History> histories = new ArrayList<>();
    private static final List<Nemesis.Injection> injections = new ArrayList<>();

    @Test
    void noLockIsHeldTwiceWhileNodesJoinLeaveAndAreReplaced() throws Exception {
        run("members", 3, TopologyIT::withSpareNodes, TopologyChanges.members());
    }

    private static void withSpareNodes(LocalCassandraBuilder builder) {
        builder.nodes(5).node(4, NodeOptions::joinLater).node(5, NodeOptions::joinLater);
    }

    @Test
    void noLockIsHeldTwiceWhileNetworksCarryOneDirection() throws Exception {
        run("networks", 3, builder -> {}, TopologyChanges.networks());
    }

    @Test
    void noLockIsHeldTwiceWhileMessagesOfANodeAreLate() throws Exception {
        run("late", 3, TopologyIT::withPatientNodes, List.of(TopologyChanges.lateMessages()));
    }

    /** With the default time-outs, nodes ignore a message that is five seconds late. */
    private static void withPatientNodes(LocalCassandraBuilder builder) {
        builder.config("read_request_timeout", "20s")
                .config("write_request_timeout", "20s")
                .config("cas_contention_timeout", "20s");
    }

    @Test
    void noLockIsHeldTwiceIfReplicationIsRaisedByTheRunbook() throws Exception {
        run("replication", 1, builder -> {}, List.of(TopologyChanges.replicationIsRaised()));
    }

    /** Otherwise the runbook would be idle. */
    @Test
    void someLockIsHeldTwiceIfReplicationIsRaisedWithoutTheRunbook() throws Exception {
        run(
                "unrepaired",
                1,
                builder -> {},
                List.of(TopologyChanges.replicationIsRaisedWithoutRunbook()),
                fleet -> {},
                (directory, fleet, nemesis) -> assertThat(
                                HistoryCheck.violations(directory, fleet.histories(), List.of(ALWAYS)))
                        .as("safety violations; what workers noted is in %s", directory)
                        .anyMatch(violation -> violation.startsWith("Two held it at once")));
    }

    @Test
    void noLockIsHeldTwiceIfNodesDieAtWritesOfSlots() throws Exception {
        run("slots", 3, builder -> {}, TopologyChanges.deathsAtWritesOfSlots());
    }

    @Test
    void noLockIsHeldTwiceIfNodesDieAtWritesOfSessions() throws Exception {
        run("sessions", 3, builder -> {}, TopologyChanges.deathsAtWritesOfSessions());
    }

    @Test
    void noLockIsHeldTwiceIfNodesDieAtRareWrites() throws Exception {
        run(
                "rare",
                3,
                builder -> {},
                TopologyChanges.deathsAtRareWrites(),
                Fleet::doErrands,
                TopologyIT::assertNoViolation);
    }

    @Test
    void noLockIsHeldTwiceIfTheDiskOfANodeIsFull() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(FaultSettings.directory("disk").resolve("small"))) {
            run("disk", 3, builder -> builder.config("commitlog_sync", "batch"), TopologyChanges.fullDisks(disk));
        }
    }

    @Test
    @DisabledIf("io.github.cassandralock.testing.clusters.CassandraCluster#isBefore5")
    void noLockIsHeldTwiceWhileNodesAreUpgradedOneByOne() throws Exception {
        run("upgrade", 3, builder -> builder.eachNode(node -> node.version(OLD)), TopologyChanges.upgrade(OLD, NEW));
    }

    private static void run(String name, int replicas, Consumer<LocalCassandraBuilder> cluster, List<Fault> changes)
            throws Exception {
        run(name, replicas, cluster, changes, fleet -> {}, TopologyIT::assertNoViolation);
    }

    private static void assertNoViolation(Path directory, Fleet fleet, Nemesis nemesis) throws IOException {
        HistoryCheck.report(directory, fleet.histories(), nemesis.injections());
    }

    @FunctionalInterface
    private interface Check {
        void of(Path directory, Fleet fleet, Nemesis nemesis) throws IOException;
    }

    private static void run(
            String name,
            int replicas,
            Consumer<LocalCassandraBuilder> cluster,
            List<Fault> changes,
            Consumer<Fleet> habits,
            Check check)
            throws Exception {
        Path directory = FaultSettings.directory(name + "-" + SEED);
        try (Nodes nodes = Nodes.start(directory, 0, replicas, cluster);
                Fleet fleet = new Fleet(FaultSchedule.WORKERS, nodes, directory, SEED)) {
            habits.accept(fleet);
            fleet.start();
            Nemesis nemesis = new Nemesis(new FaultTargets(nodes, fleet));
            nemesis.begin();
            nemesis.run(changes);
            fleet.stop();
            check.of(directory, fleet, nemesis);
            histories.addAll(fleet.histories());
            injections.addAll(nemesis.injections());
        }
    }

    /** For docs/reliability.md, which shows a copy in {@code benchmarks/results}. */
    @AfterAll
    static void writeTable() throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "results", "topology"));
        Files.writeString(
                directory.resolve("tables.md"),
                "### Changes of the cluster under load\n\n" + LocalDate.now(ZoneOffset.UTC) + ", commit "
                        + PresentCommit.text() + ".\n\n" + FaultReport.of(histories, injections));
    }
}
