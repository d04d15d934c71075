package io.github.cassandralock.faults.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import io.github.cassandralock.faults.cluster.Nodes;
import io.github.cassandralock.faults.cluster.SmallDisk;
import io.github.cassandralock.faults.cluster.Worker;
import io.github.cassandralock.local.LocalNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Changes of the cluster, and networks that carry one direction, in an order in which each is possible. */
public final class TopologyChanges {

    private static final Duration LATE = Duration.ofSeconds(5);

    /** The driver's and Cassandra's time-outs, and then some. */
    private static final Duration PARTITION = Duration.ofSeconds(12);

    private static final Set<Integer> ALL = Set.of(1, 2, 3);
    private static final int NODE_WITH_SMALL_DISK = 2;
    private static final Duration SOON = Duration.ofMinutes(1);

    /** Of a worker that is to hold a lock whose replica has no row of its session. Two of three sessions fit. */
    private static final int MOST_STARTS = 20;

    /** Longer than a request of a paused worker is under way, and shorter than it takes until its session is declared dead. */
    private static final Duration UNDER_WAY = Duration.ofMillis(500);

    /** Only the key shows whether a promise is for the opening, a renewal or the death of a session. */
    private static final String PROMISE = "^PAXOS2_PREPARE_REQ write=true ";

    private static final String PROPOSAL = "^PAXOS2_PROPOSE_REQ.*";
    private static final String COMMIT = "^PAXOS\\w*_COMMIT.*";
    private static final String FIRST_BEAT = "\\bbeat=0\\b";
    private static final String LATER_BEAT = "\\bbeat=[1-9]";
    private static final String DEAD = "state='?DEAD";

    /** The timestamp of the deletion. */
    private static final long EVICTION = 1L << 62;

    /** W1 has the number of its attempt as its timestamp. Another write of the same phase lowers the mode, or is a refresh. */
    private static final String WRITTEN_AGAIN = "\\[attempt=(\\d+) ts=(?!\\1 )";

    /** In seconds. */
    private static final String SLOT_LIFE = "10800 ";

    private static final String IDLE_LIFE = "300 ";

    private TopologyChanges() {}

    /** Between two of client and node, and between two nodes; a node that answers late. */
    public static List<Fault> networks() {
        return List.of(
                ofWorker("answers of all nodes to a worker are lost", 1, worker -> worker.cutAnswersOf(all())),
                ofWorker("requests of a worker to all nodes are lost", 2, worker -> worker.cutRequestsTo(all())),
                ofNode("answers of a node to all workers are lost", 1, worker -> worker.cutAnswersOf(List.of(1))),
                ofNode("requests of all workers to a node are lost", 2, worker -> worker.cutRequestsTo(List.of(2))),
                ofNode("a node answers five seconds late", 3, worker -> worker.delayAnswersOf(3, LATE)),
                ofMessages("messages of a node to another node are lost", Set.of(1), Set.of(2)),
                ofMessages("messages of a node to both other nodes are lost", Set.of(1), Set.of(2, 3)),
                ofMessages("messages of both other nodes to a node are lost", Set.of(2, 3), Set.of(1)));
    }

    private static Fault ofMessages(String kind, Set<Integer> from, Set<Integer> to) {
        return new Fault(
                kind,
                kind + ": " + from + " to " + to,
                ALL,
                Set.of(),
                PARTITION,
                targets ->
                        from.forEach(one -> to.forEach(other -> targets.nodes().cutMessages(one, other))),
                targets -> from.forEach(one -> targets.nodes().healMessages(one)));
    }

    /** Of nodes that carry out what arrives so late. */
    public static Fault lateMessages() {
        String kind = "messages of a node to both other nodes are five seconds late";
        return new Fault(
                kind,
                kind,
                ALL,
                Set.of(),
                PARTITION,
                targets -> targets.nodes().delayMessages(1, LATE),
                targets -> targets.nodes().healMessages(1));
    }

    /** Of three nodes, and of nodes 4 and 5, which join later. */
    public static List<Fault> members() {
        return List.of(
                change("a node joins", targets -> targets.nodes().node(4).start()),
                change("the nodes are repaired", targets -> repair(targets.nodes(), List.of(1, 2, 3, 4))),
                change("a node leaves", targets -> targets.nodes().decommission(2)),
                change("a node is killed, and replaced by another", targets -> replace(targets.nodes(), 3, 5)));
    }

    /** A coordinator is killed when it is about to send a write of a slot to the first of the other replicas. */
    public static List<Fault> deathsAtWritesOfSlots() {
        return List.of(
                deathAt("W1", slot("\\[phase=1")),
                deathAt("W2", slot("\\[phase=2")),
                deathAt("RETICKET", slot("\\[phase=3")),
                deathAt("the release", slot("\\[phase=0")),
                deathAt("the write of the last token", slot("\\[last_token=")));
    }

    /** A coordinator is killed when it is about to send a message about a session to the first of the other replicas. */
    public static List<Fault> deathsAtWritesOfSessions() {
        return List.of(
                deathAtOpening(
                        "the promise of a session's opening",
                        targets -> PROMISE + "(?!.*" + keys(targets, Optional.empty()) + ")"),
                deathAtOpening("the proposal of a session's opening", targets -> PROPOSAL + FIRST_BEAT),
                deathAtOpening("the commit of a session's opening", targets -> COMMIT + FIRST_BEAT),
                deathAt("the promise of a session's renewal", PROMISE),
                deathAt("the proposal of a session's renewal", PROPOSAL + LATER_BEAT),
                deathAt("the commit of a session's renewal", COMMIT + LATER_BEAT),
                deathWithSession(
                        "the promise of a session's death",
                        targets -> PROMISE + ".*"
                                + keys(
                                        targets,
                                        Optional.of(targets.fleet().worker(1).pid()))),
                deathWithSession("the proposal of a session's death", targets -> PROPOSAL + DEAD),
                deathWithSession("the commit of a session's death", targets -> COMMIT + DEAD),
                deathWithSession("the eviction of a session", targets -> slot("Marker .*@" + EVICTION + "/")));
    }

    /** The beginnings of the keys of sessions, as messages show them. */
    private static String keys(FaultTargets targets, Optional<Long> pid) {
        List<UUID> sessions = targets.nodes().sessions(pid);
        assertThat(sessions).as("sessions whose messages are to be told apart").isNotEmpty();
        return sessions.stream()
                .map(session -> session.toString().replace("-", "").substring(0, 12))
                .collect(Collectors.joining("|", ", (", ")"));
    }

    /** Returns deaths at writes that workers send only if they do errands. */
    public static List<Fault> deathsAtRareWrites() {
        return List.of(
                deathAt("the write that opens a value", slot("\\[value_open=")),
                deathAt("the write that stores a value", slot("\\[value_token=")),
                deathAt("the write of a slot in a lower mode", slot(WRITTEN_AGAIN + ".*\\[phase=1")),
                deathAt("a request to force-release", "^MUTATION_REQ .*lock_breaks"),
                deathAt("the calls that wait", "^MUTATION_REQ .*lock_waiting"),
                death(
                        "the write of a slot that is left behind",
                        Set.of(1),
                        targets -> slot("\\[attempt=\\d+ ts=\\d+ ttl=(?!" + SLOT_LIFE + "|" + IDLE_LIFE + ")"),
                        worker -> {},
                        Worker::replace,
                        worker -> {}));
    }

    private static String slot(String part) {
        return "^MUTATION_REQ .*lock_slots.*" + part;
    }

    private static Fault deathAt(String write, String message) {
        return death(write, Set.of(), targets -> message, worker -> {}, worker -> {}, worker -> {});
    }

    private static Fault deathAtOpening(String write, Function<FaultTargets, String> message) {
        return death(write, Set.of(1), message, worker -> {}, Worker::restart, worker -> {});
    }

    /** A worker is paused that has a lock, so that others declare its session dead. Afterwards, only they write to its session. */
    private static Fault deathWithSession(String write, Function<FaultTargets, String> message) {
        return death(
                write,
                Set.of(1),
                message,
                worker -> {
                    worker.pause();
                    await("requests under way").pollDelay(UNDER_WAY).until(() -> true);
                },
                worker -> {},
                Worker::resume);
    }

    private static Fault death(
            String write,
            Set<Integer> workers,
            Function<FaultTargets, String> message,
            Consumer<Worker> before,
            Consumer<Worker> cause,
            Consumer<Worker> afterwards) {
        String kind = "a node dies before it sends " + write;
        return new Fault(
                kind,
                kind,
                ALL,
                workers,
                FaultSchedule.LEASE,
                targets -> targets.nodes()
                        .dieAt(
                                message.apply(targets),
                                () -> workers(targets, workers, before),
                                () -> workers(targets, workers, cause)),
                targets -> {
                    targets.nodes().startDead();
                    workers(targets, workers, afterwards);
                });
    }

    private static void workers(FaultTargets targets, Set<Integer> workers, Consumer<Worker> action) {
        workers.forEach(worker -> action.accept(targets.fleet().worker(worker)));
    }

    /**
     * A node that maps its commit log into memory, which is the default, crashes when it writes there. The policy of a node that
     * compresses its commit log decides what the node does.
     */
    public static List<Fault> fullDisks(SmallDisk disk) {
        return List.of(
                Fault.ofNodes(
                        "a node is stopped, and started on another disk",
                        Set.of(NODE_WITH_SMALL_DISK),
                        Duration.ZERO,
                        LocalNode::stop,
                        node -> {
                            disk.take(node.logFile().resolveSibling("storage"));
                            node.start();
                        }),
                fullDisk("crashes", false, disk, node -> startCompressing(node, "stop")),
                fullDisk("stops its service", true, disk, node -> startCompressing(node, "die")),
                fullDisk("ends itself", false, disk, node -> startCompressing(node, "stop")));
    }

    /** @param runs whether the process still runs then */
    private static Fault fullDisk(String effect, boolean runs, SmallDisk disk, Consumer<LocalNode> start) {
        String kind = "a node " + effect + " on a full disk";
        return new Fault(
                kind,
                kind,
                Set.of(NODE_WITH_SMALL_DISK),
                Set.of(),
                Duration.ZERO,
                targets -> {
                    LocalNode node = targets.nodes().node(NODE_WITH_SMALL_DISK);
                    await(kind).atMost(SOON).until(() -> {
                        disk.fill();
                        return !Nodes.takesConnections(node) && node.isRunning() == runs;
                    });
                    long since = System.nanoTime();
                    await("locks without the node")
                            .atMost(SOON)
                            .until(() -> targets.fleet().workers().stream()
                                    .allMatch(worker -> worker.hasEnteredSince(since)));
                },
                targets -> {
                    LocalNode node = targets.nodes().node(NODE_WITH_SMALL_DISK);
                    disk.free();
                    node.kill();
                    start.accept(node);
                });
    }

    /**
     * A full disk leaves a part of a write in a compressed commit log, and the node would not start with it. The write was never
     * acknowledged, because each one is flushed before.
     */
    private static void startCompressing(LocalNode node, String policy) {
        node.startWith(
                options -> options.config("commitlog_compression", List.of(Map.of("class_name", "LZ4Compressor")))
                        .config("commit_failure_policy", policy)
                        .jvmOptions("-Dcassandra.commitlog.ignorereplayerrors=true"));
    }

    /** Of a keyspace with one replica on three nodes, as the documentation has it. */
    public static Fault replicationIsRaised() {
        String kind = "the replication factor is raised from 1 to 3 by the runbook";
        return new Fault(
                kind,
                kind,
                ALL,
                ALL,
                FaultSchedule.LEASE.multipliedBy(3).dividedBy(2),
                targets -> targets.fleet().stop(),
                targets -> {
                    targets.nodes().setReplicas(Nodes.KEYSPACE, 3);
                    repair(targets.nodes(), all());
                    targets.fleet().start();
                });
    }

    /** The only replica of a lock that is held dies; without a repair, the two new ones have no data. */
    public static Fault replicationIsRaisedWithoutRunbook() {
        String kind = "the replication factor is raised from 1 to 3 without the runbook";
        return new Fault(
                kind,
                kind,
                ALL,
                Set.of(1),
                FaultSchedule.LEASE,
                targets -> {
                    Nodes nodes = targets.nodes();
                    Worker holder = targets.fleet().worker(1);
                    Optional<LocalNode> replica = replicaOfLockAlone(nodes, holder);
                    for (int start = 0; replica.isEmpty() && start < MOST_STARTS; start++) {
                        holder.restart();
                        holder.awaitLongHold();
                        replica = replicaOfLockAlone(nodes, holder);
                    }
                    replica.orElseThrow(
                                    () -> new IllegalStateException("No lock was held without its session's replica"))
                            .kill();
                    nodes.setReplicas(Nodes.KEYSPACE, 3);
                },
                targets -> targets.nodes().startDead());
    }

    /** Empty if the worker's session is there as well: the worker would lose the lock before another gets it. */
    private static Optional<LocalNode> replicaOfLockAlone(Nodes nodes, Worker worker) {
        List<LocalNode> ofSessions = nodes.sessions(Optional.of(worker.pid())).stream()
                .map(session -> nodes.replica(Nodes.KEYSPACE, TypeCodecs.UUID.encode(session, ProtocolVersion.DEFAULT)))
                .toList();
        return worker.lockKeptForLong()
                .map(lock -> nodes.replica(Nodes.KEYSPACE, TypeCodecs.TEXT.encode(lock, ProtocolVersion.DEFAULT)))
                .filter(node -> !ofSessions.contains(node));
    }

    /** One node after the other; in between, a worker starts. */
    public static List<Fault> upgrade(String from, String to) {
        List<Fault> faults = new ArrayList<>(IntStream.rangeClosed(1, Nodes.COUNT)
                .mapToObj(number -> Fault.ofNodes(
                        "a node is stopped, and started with another version",
                        Set.of(number),
                        Duration.ZERO,
                        LocalNode::stop,
                        node -> {
                            node.startWith(options -> options.version(to));
                            assertThat(node.logFile())
                                    .content()
                                    .containsSubsequence("Cassandra version: " + from, "Cassandra version: " + to);
                        }))
                .toList());
        faults.add(1, Fault.workerKilled(1));
        return faults;
    }

    private static List<Integer> all() {
        return ALL.stream().sorted().toList();
    }

    private static Fault ofWorker(String kind, int number, Consumer<Worker> inject) {
        return Fault.ofWorkers(
                kind, Set.of(number), FaultSchedule.LEASE.multipliedBy(2), inject, worker -> worker.reconnectTo(all()));
    }

    private static Fault ofNode(String kind, int number, Consumer<Worker> inject) {
        return new Fault(
                kind,
                kind + " [" + number + "]",
                Set.of(number),
                Set.of(),
                PARTITION,
                targets -> targets.fleet().workers().forEach(inject),
                targets -> targets.fleet().workers().forEach(worker -> {
                    worker.reconnectTo(List.of(number));
                    worker.delayAnswersOf(number, Duration.ZERO);
                }));
    }

    private static Fault change(String kind, Consumer<FaultTargets> inject) {
        return new Fault(kind, kind, Set.of(), Set.of(), Duration.ZERO, inject, targets -> {});
    }

    private static void repair(Nodes nodes, List<Integer> numbers) {
        numbers.forEach(number -> nodes.repair(number, Nodes.KEYSPACE));
    }

    /** The new node waits until the old one has sent nothing for some time: a minute, if nothing is set. */
    private static void replace(Nodes nodes, int old, int by) {
        nodes.node(old).kill();
        nodes.node(by)
                .startWith(options -> options.jvmOptions(
                        "-Dcassandra.replace_address_first_boot=" + nodes.host(old),
                        "-Dcassandra.broadcast_interval_ms=15000",
                        "-Dcassandra.schema_delay_ms=10000"));
    }
}
