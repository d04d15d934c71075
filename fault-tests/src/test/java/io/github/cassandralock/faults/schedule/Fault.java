package io.github.cassandralock.faults.schedule;

import io.github.cassandralock.faults.cluster.Worker;
import io.github.cassandralock.local.LocalNode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Something that goes wrong, and ends. Numbers of nodes and workers count from 1. */
sealed interface Fault {

    /** What the report calls all of its kind. */
    String kind();

    /** The nodes that it strikes. */
    default Set<Integer> nodes() {
        return Set.of();
    }

    /** The workers that it strikes. */
    default Set<Integer> workers() {
        return Set.of();
    }

    void strike(Scene scene);

    /** How long it lasts, from when it has struck. */
    default Duration lasts(Duration lease) {
        return Duration.ZERO;
    }

    /** Nothing is to be done if it was over as soon as it had struck. */
    default void heal(Scene scene) {}

    private static Set<Integer> upTo(int number) {
        return IntStream.rangeClosed(1, number).boxed().collect(Collectors.toSet());
    }

    private static Duration beyond(Duration lease) {
        return lease.multipliedBy(2);
    }

    /** {@code kill -9}, and a start with the data that are there. */
    record NodeKilled(int node) implements Fault {

        @Override
        public String kind() {
            return "a node is killed and started again";
        }

        @Override
        public Set<Integer> nodes() {
            return Set.of(node);
        }

        @Override
        public void strike(Scene scene) {
            scene.nodes().node(node).kill();
        }

        @Override
        public Duration lasts(Duration lease) {
            return lease;
        }

        @Override
        public void heal(Scene scene) {
            scene.nodes().node(node).start();
        }
    }

    /** SIGSTOP for longer than any time-out, the driver's or Cassandra's. */
    record NodePaused(int node) implements Fault {

        private static final Duration LONGER_THAN_TIMEOUTS = Duration.ofSeconds(12);

        @Override
        public String kind() {
            return "a node stands still";
        }

        @Override
        public Set<Integer> nodes() {
            return Set.of(node);
        }

        @Override
        public void strike(Scene scene) {
            scene.nodes().node(node).pause();
        }

        @Override
        public Duration lasts(Duration lease) {
            return LONGER_THAN_TIMEOUTS;
        }

        @Override
        public void heal(Scene scene) {
            scene.nodes().node(node).resume();
        }
    }

    record AllNodesKilled() implements Fault {

        @Override
        public String kind() {
            return "all nodes are killed and started again";
        }

        @Override
        public Set<Integer> nodes() {
            return upTo(Schedule.NODES);
        }

        @Override
        public void strike(Scene scene) {
            scene.nodes().all().forEach(LocalNode::kill);
        }

        @Override
        public Duration lasts(Duration lease) {
            return beyond(lease);
        }

        @Override
        public void heal(Scene scene) {
            scene.nodes().all().forEach(LocalNode::start);
        }
    }

    record AllNodesPaused() implements Fault {

        @Override
        public String kind() {
            return "all nodes stand still";
        }

        @Override
        public Set<Integer> nodes() {
            return upTo(Schedule.NODES);
        }

        @Override
        public void strike(Scene scene) {
            scene.nodes().all().forEach(LocalNode::pause);
        }

        @Override
        public Duration lasts(Duration lease) {
            return beyond(lease);
        }

        @Override
        public void heal(Scene scene) {
            scene.nodes().all().forEach(LocalNode::resume);
        }
    }

    record WorkerKilled(int worker) implements Fault {

        @Override
        public String kind() {
            return "a worker is killed, and another one started";
        }

        @Override
        public Set<Integer> workers() {
            return Set.of(worker);
        }

        @Override
        public void strike(Scene scene) {
            scene.fleet().worker(worker).restart();
        }
    }

    record WorkerPaused(int worker) implements Fault {

        @Override
        public String kind() {
            return "a worker stands still beyond its lease";
        }

        @Override
        public Set<Integer> workers() {
            return Set.of(worker);
        }

        @Override
        public void strike(Scene scene) {
            scene.fleet().worker(worker).pause();
        }

        @Override
        public Duration lasts(Duration lease) {
            return beyond(lease);
        }

        @Override
        public void heal(Scene scene) {
            scene.fleet().worker(worker).resume();
        }
    }

    /** Connections hang; what was sent arrives when they are healed. */
    record WorkerCut(int worker, List<Integer> fromNodes) implements Fault {

        @Override
        public String kind() {
            return fromNodes.size() == Schedule.NODES
                    ? "a worker is cut off from all nodes"
                    : "a worker is cut off from some nodes";
        }

        @Override
        public Set<Integer> workers() {
            return Set.of(worker);
        }

        @Override
        public void strike(Scene scene) {
            scene.fleet().worker(worker).cutFrom(fromNodes);
        }

        @Override
        public Duration lasts(Duration lease) {
            return beyond(lease);
        }

        @Override
        public void heal(Scene scene) {
            scene.fleet().worker(worker).reconnectTo(fromNodes);
        }
    }

    record AllWorkersKilled() implements Fault {

        @Override
        public String kind() {
            return "all workers are killed, and others started";
        }

        @Override
        public Set<Integer> workers() {
            return upTo(Schedule.WORKERS);
        }

        @Override
        public void strike(Scene scene) {
            scene.fleet().workers().forEach(Worker::restart);
        }
    }

    /** From now on; the process is killed for it. */
    record WorkerClock(int worker, int hoursAhead) implements Fault {

        @Override
        public String kind() {
            return "a worker starts with a calendar that is hours off";
        }

        @Override
        public Set<Integer> workers() {
            return Set.of(worker);
        }

        @Override
        public void strike(Scene scene) {
            Worker struck = scene.fleet().worker(worker);
            struck.setHoursAhead(hoursAhead);
            struck.restart();
        }
    }

    /** Two at once. */
    record Mixed(Fault one, Fault other) implements Fault {

        /** Two faults are not about the same node or worker. */
        static boolean isPossible(Fault one, Fault other) {
            return Collections.disjoint(one.nodes(), other.nodes())
                    && Collections.disjoint(one.workers(), other.workers());
        }

        @Override
        public String kind() {
            return "two of these at once";
        }

        @Override
        public Set<Integer> nodes() {
            return union(one.nodes(), other.nodes());
        }

        @Override
        public Set<Integer> workers() {
            return union(one.workers(), other.workers());
        }

        private static Set<Integer> union(Set<Integer> some, Set<Integer> others) {
            return Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet());
        }

        @Override
        public void strike(Scene scene) {
            one.strike(scene);
            other.strike(scene);
        }

        @Override
        public Duration lasts(Duration lease) {
            return one.lasts(lease).compareTo(other.lasts(lease)) > 0 ? one.lasts(lease) : other.lasts(lease);
        }

        /** Nodes that stand still are resumed before a killed one waits for all to see each other. */
        @Override
        public void heal(Scene scene) {
            boolean restartFirst = one instanceof NodeKilled;
            (restartFirst ? other : one).heal(scene);
            (restartFirst ? one : other).heal(scene);
        }
    }
}
