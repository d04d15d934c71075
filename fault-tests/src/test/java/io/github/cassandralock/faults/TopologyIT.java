package io.github.cassandralock.faults;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/** Workers under load while the cluster changes. */
@Tag("slow")
@Tag("nightly")
class TopologyIT {

    private static final long SEED = FaultSettings.seed();
    private static final String OLD = "4.1.9";
    private static final String NEW = System.getProperty("cassandra.version", "");

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
    void noLockIsHeldTwiceIfReplicationIsRaisedByTheRunbook() throws Exception {
        run("replication", 1, builder -> {}, List.of(TopologyChanges.replicationIsRaised()));
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
        run("rare", 3, builder -> {}, TopologyChanges.deathsAtRareWrites(), Fleet::doErrands);
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
        run(name, replicas, cluster, changes, fleet -> {});
    }

    private static void run(
            String name,
            int replicas,
            Consumer<LocalCassandraBuilder> cluster,
            List<Fault> changes,
            Consumer<Fleet> habits)
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
            HistoryCheck.report(directory, fleet.histories(), nemesis.injections());
            histories.addAll(fleet.histories());
            injections.addAll(nemesis.injections());
        }
    }

    /** For docs/reliability.md, which shows a copy in {@code benchmarks/results}. */
    @AfterAll
    static void writeTable() throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "results", "topology"));
        Files.writeString(directory.resolve("tables.md"), FaultReport.of(histories, injections));
    }
}
