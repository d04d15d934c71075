package io.github.cassandralock.faults.nemesis;

import io.github.cassandralock.faults.cluster.Worker;
import io.github.cassandralock.local.LocalNode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Something that goes wrong, and ends. Numbers of nodes and workers count from 1.
 *
 * @param kind what the report calls all of its kind
 * @param text what the log says
 * @param nodes those that it affects
 * @param workers those that it affects
 * @param lasts how long, from its injection; zero if it is over by then
 * @param inject makes it happen
 * @param heal ends it
 */
public record Fault(
        String kind,
        String text,
        Set<Integer> nodes,
        Set<Integer> workers,
        Duration lasts,
        Consumer<FaultTargets> inject,
        Consumer<FaultTargets> heal) {

    private static final Duration BEYOND_THE_LEASE = FaultSchedule.LEASE.multipliedBy(2);

    /** The driver's and Cassandra's. */
    private static final Duration LONGER_THAN_TIMEOUTS = Duration.ofSeconds(12);

    private static final Duration LATE = Duration.ofMillis(300);

    private static final Set<Integer> ALL_NODES = upTo(FaultSchedule.NODES);
    private static final Set<Integer> ALL_WORKERS = upTo(FaultSchedule.WORKERS);

    private static Set<Integer> upTo(int number) {
        return IntStream.rangeClosed(1, number).boxed().collect(Collectors.toSet());
    }

    static Fault ofNodes(
            String kind, Set<Integer> nodes, Duration lasts, Consumer<LocalNode> inject, Consumer<LocalNode> heal) {
        return new Fault(
                kind,
                kind + " " + nodes,
                nodes,
                Set.of(),
                lasts,
                targets -> nodes.forEach(node -> inject.accept(targets.nodes().node(node))),
                targets -> nodes.forEach(node -> heal.accept(targets.nodes().node(node))));
    }

    static Fault ofWorkers(
            String kind, Set<Integer> workers, Duration lasts, Consumer<Worker> inject, Consumer<Worker> heal) {
        return new Fault(
                kind,
                kind + " " + workers,
                Set.of(),
                workers,
                lasts,
                targets ->
                        workers.forEach(worker -> inject.accept(targets.fleet().worker(worker))),
                targets -> workers.forEach(worker -> heal.accept(targets.fleet().worker(worker))));
    }

    /** {@code kill -9}, and a start with the data that are there. */
    static Fault nodeKilled(int node) {
        return ofNodes(
                "a node is killed and started again",
                Set.of(node),
                FaultSchedule.LEASE,
                LocalNode::kill,
                LocalNode::start);
    }

    /** SIGSTOP. */
    static Fault nodePaused(int node) {
        return ofNodes("a node is paused", Set.of(node), LONGER_THAN_TIMEOUTS, LocalNode::pause, LocalNode::resume);
    }

    static Fault allNodesKilled() {
        return ofNodes(
                "all nodes are killed and started again",
                ALL_NODES,
                BEYOND_THE_LEASE,
                LocalNode::kill,
                LocalNode::start);
    }

    static Fault allNodesPaused() {
        return ofNodes("all nodes stand still", ALL_NODES, BEYOND_THE_LEASE, LocalNode::pause, LocalNode::resume);
    }

    static Fault workerKilled(int worker) {
        return ofWorkers(
                "a worker is killed, and another one started",
                Set.of(worker),
                Duration.ZERO,
                Worker::restart,
                struck -> {});
    }

    static Fault workerPaused(int worker) {
        return ofWorkers(
                "a worker is paused for longer than its lease",
                Set.of(worker),
                BEYOND_THE_LEASE,
                Worker::pause,
                Worker::resume);
    }

    /** Connections hang; what was sent arrives when they are healed. */
    static Fault workerCut(int worker, List<Integer> fromNodes) {
        String from = fromNodes.size() == FaultSchedule.NODES ? "all nodes" : "some nodes";
        return ofWorkers(
                "a worker is cut off from " + from,
                Set.of(worker),
                BEYOND_THE_LEASE,
                struck -> struck.cutFrom(fromNodes),
                struck -> struck.reconnectTo(fromNodes));
    }

    /** Those that others send; its own still reach others. What was sent meanwhile arrives afterwards. */
    static Fault noticesCut(int worker) {
        return ofWorkers(
                "a worker is cut off from the notices of others",
                Set.of(worker),
                BEYOND_THE_LEASE,
                Worker::cutFromNotices,
                Worker::healNotices);
    }

    /** By far more than a lock is held. */
    static Fault noticesLate(int worker) {
        return ofWorkers(
                "notices to a worker are late",
                Set.of(worker),
                BEYOND_THE_LEASE,
                struck -> struck.delayNotices(LATE),
                Worker::healNotices);
    }

    static Fault allWorkersKilled() {
        return ofWorkers(
                "all workers are killed, and others started",
                ALL_WORKERS,
                Duration.ZERO,
                Worker::restart,
                struck -> {});
    }

    /** From now on; the process is killed for it. */
    static Fault workerClock(int worker, int hoursAhead) {
        return ofWorkers(
                "a worker starts with a wall clock that is hours off",
                Set.of(worker),
                Duration.ZERO,
                struck -> {
                    struck.setHoursAhead(hoursAhead);
                    struck.restart();
                },
                struck -> {});
    }

    /** The process goes on. */
    static Fault workerClockSteps(int worker, int hoursAhead) {
        return ofWorkers(
                "the wall clock of a worker steps by an hour, and back",
                Set.of(worker),
                BEYOND_THE_LEASE,
                struck -> struck.setHoursAhead(hoursAhead),
                struck -> struck.setHoursAhead(0));
    }

    /** The node goes on. */
    static Fault nodeClockSteps(int hoursAhead) {
        String kind = "the wall clock of a node steps by an hour, and back";
        return new Fault(
                kind,
                kind,
                Set.of(2),
                Set.of(),
                BEYOND_THE_LEASE,
                targets -> targets.nodes().setHoursAhead(hoursAhead),
                targets -> targets.nodes().setHoursAhead(0));
    }

    /** Whether they are about different things. */
    static boolean mayBeMixed(Fault one, Fault other) {
        return Collections.disjoint(one.nodes, other.nodes) && Collections.disjoint(one.workers, other.workers);
    }

    /** Both at once. */
    static Fault mixed(Fault one, Fault other) {
        return new Fault(
                "two of these at once",
                one.text + ", and " + other.text,
                union(one.nodes, other.nodes),
                union(one.workers, other.workers),
                one.lasts.compareTo(other.lasts) > 0 ? one.lasts : other.lasts,
                one.inject.andThen(other.inject),
                one.heal.andThen(other.heal));
    }

    private static Set<Integer> union(Set<Integer> some, Set<Integer> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet());
    }

    @Override
    public String toString() {
        return text;
    }
}
