package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.majority.Cluster;
import io.github.cassandralock.internal.majority.MajorityAlgorithm;
import io.github.cassandralock.internal.majority.MajorityContext;
import io.github.cassandralock.internal.majority.MajoritySettings;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.LeaseSettings;
import io.github.cassandralock.internal.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.internal.thesis.shadow.ShadowAlgorithm;
import io.github.cassandralock.internal.thesis.time.GlobalTime;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/** Processes on simulated replicas, which may run different algorithms. One seed decides everything. */
public final class FleetWorld {

    public static final Duration LEASE = Duration.ofSeconds(4);
    public static final String LOCK = "lock";

    /** One process and the algorithm on it. */
    public record Member(int number, SimulatedProcess process, LockAlgorithm algorithm) {}

    private record Held(Member member, Grant grant) {}

    private static final double EPSILON = 0.05;
    private static final int CLUSTERS = 3;

    /** Wall clocks are wrong by at most half of it. */
    private static final Duration CALENDARS = Duration.ofMinutes(2);

    private static final PollBounds POLL = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));

    private final SplittableRandom random;
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedNetwork network;
    private final SimulatedCells cells;
    private final SimulatedSlots slots;
    private final SimulatedSessions sessions;
    private final ProtocolCounters counters = new ProtocolCounters();
    private final SimulatedLink.Weather weather;

    /** Those of the majority; none if no process uses one. */
    private final List<SimulatedCluster> clusters = new ArrayList<>();

    private final List<SimulatedLink> links = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();
    private final List<Held> grants = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private int threads;

    /**
     * @param faulty whether messages get lost or very late, and wall clocks disagree
     * @param algorithms a process for each
     */
    public FleetWorld(long seed, boolean faulty, List<SimulatedAlgorithm> algorithms) {
        random = new SplittableRandom(seed);
        network = new SimulatedNetwork(
                time,
                random.split(),
                new FaultModel.Transport(
                        Duration.ofMillis(3),
                        false,
                        faulty ? 0.02 : 0,
                        faulty ? 0.02 : 0,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2)));
        weather = faulty ? new SimulatedLink.Weather(0.02, 0.02, Duration.ofSeconds(5)) : SimulatedLink.Weather.FAIR;
        cells = new SimulatedCells(time, network);
        slots = new SimulatedSlots(time, network, random.split(), Duration.ZERO);
        sessions = new SimulatedSessions(time, network, random.split());
        for (SimulatedAlgorithm algorithm : algorithms) {
            double rate = faulty ? random.nextDouble(0.98, 1.02) : 1;
            Duration offset = Duration.ofMillis(faulty ? random.nextLong(-60_000, 60_000) : 0);
            SimulatedProcess process = new SimulatedProcess(time, rate, offset);
            members.add(new Member(members.size(), process, algorithm.on(this, process)));
        }
        time.runUntil(() -> clusters.stream().allMatch(SimulatedCluster::isTokenMature), Duration.ofMinutes(1));
        time.run(clusters.isEmpty() ? Duration.ZERO : LEASE);
    }

    /** Its clusters have tables of their own. */
    LockAlgorithm majority(SimulatedProcess process) {
        while (clusters.size() < CLUSTERS) {
            clusters.add(new SimulatedCluster(time, LEASE));
        }
        SplittableRandom own = random.split();
        List<Cluster> seen = new ArrayList<>();
        for (SimulatedCluster cluster : clusters) {
            SimulatedLink link = new SimulatedLink(time, process, cluster, own.split());
            link.weather(weather);
            links.add(link);
            SimulatedClusterLock lock = new SimulatedClusterLock(link, own.split(), LEASE, EPSILON, Duration.ZERO);
            seen.add(new Cluster("cluster-" + seen.size(), lock, lock, lock));
        }
        return new MajorityAlgorithm(
                seen,
                new MajorityContext(
                        new MajoritySettings(LEASE, LEASE, LEASE.dividedBy(10), true, CALENDARS),
                        process,
                        process,
                        () -> new UUID(own.nextLong(), own.nextLong()),
                        process));
    }

    LockAlgorithm queue(SimulatedProcess process) {
        return new QueueAlgorithm(
                cells.table("queue", process),
                GlobalTime.start(cells.globalTime(process), process, process),
                POLL,
                context("main", process));
    }

    LockAlgorithm shadow(SimulatedProcess process) {
        return new ShadowAlgorithm(cells.table("shadow", process), process, context("shadow main", process));
    }

    private CellContext context(String mainRow, SimulatedProcess process) {
        return new CellContext(
                cells.table(mainRow, process),
                new LeaseSettings(LEASE, EPSILON),
                process,
                process,
                random.split(),
                counters);
    }

    LockAlgorithm ticket(SimulatedProcess process) {
        SplittableRandom ids = random.split();
        return new TicketAlgorithm(
                slots.seenBy(process),
                new SessionContext(
                        sessions.seenBy(process),
                        new SessionSettings(LEASE, EPSILON),
                        process,
                        process,
                        () -> new UUID(ids.nextLong(), ids.nextLong()),
                        "simulated",
                        session -> Optional.empty(),
                        counters),
                TicketSettings.of(Duration.ofMillis(50), POLL),
                process);
    }

    /** From now on no message gets lost. */
    public void heal() {
        network.heal();
        links.forEach(link -> link.weather(SimulatedLink.Weather.FAIR));
    }

    /** Cuts a process off from the tables of the thesis's algorithms for a while. */
    public void closeCells(Member member, Duration length) {
        network.close(member.process(), SimulatedCells.TABLE, -1, Duration.ZERO, length);
    }

    /** Cuts a process off from its session for a while. */
    public void closeSessions(Member member, Duration length) {
        network.close(member.process(), SimulatedSessions.TABLE, -1, Duration.ZERO, length);
    }

    /** Cuts a process off from the clusters of its majority for good. */
    public void cutClusters(Member member) {
        links.stream().filter(link -> link.process() == member.process()).forEach(link -> link.cut(true));
    }

    /** What all processes together have counted. */
    public ProtocolCounters counters() {
        return counters;
    }

    public SimulatedTime time() {
        return time;
    }

    public SplittableRandom random() {
        return random;
    }

    public List<Member> members() {
        return members;
    }

    /** The violations: events that must never happen. */
    public List<String> violations() {
        return violations;
    }

    public Attempt acquire(Member member) {
        return watched(member, member.algorithm().acquire(AcquireRequest.waits(LOCK, threadId(member))));
    }

    public Attempt tryAcquire(Member member) {
        return watched(member, member.algorithm().acquire(AcquireRequest.tries(LOCK, threadId(member))));
    }

    private String threadId(Member member) {
        return "process-" + member.number() + "-thread-" + ++threads;
    }

    private Attempt watched(Member member, Attempt attempt) {
        attempt.getOutcome().thenAccept(grant -> grant.ifPresent(g -> granted(new Held(member, g))));
        return attempt;
    }

    private void granted(Held held) {
        grants.removeIf(other -> !other.grant().isValid());
        if (!held.grant().isValid()) {
            violations.add("at " + Duration.ofNanos(time.now()) + " process "
                    + held.member().number() + " was given a lock whose lease was over");
        }
        grants.forEach(other -> violations.add("at " + Duration.ofNanos(time.now()) + " process "
                + held.member().number() + " holds the lock while process "
                + other.member().number() + " does"));
        grants.add(held);
    }

    /** Takes the lock, works under it and releases it a number of times, and counts how often it has done so. */
    public final class Worker {

        private final Member member;
        private final Duration longestWork;
        private int left;

        public Worker(Member member, int rounds, Duration longestWork) {
            this.member = member;
            this.left = rounds;
            this.longestWork = longestWork;
        }

        public boolean isDone() {
            return left == 0 || member.process().isDead();
        }

        public void start() {
            acquire(member).getOutcome().whenComplete((grant, failure) -> {
                if (failure != null) {
                    member.process().after(Duration.ofMillis(100)).thenRun(this::start);
                } else {
                    work(grant);
                }
            });
        }

        private void work(Optional<Grant> grant) {
            Duration duration = Duration.ofNanos(random.nextLong(longestWork.toNanos() + 1));
            member.process().after(duration).thenRun(() -> {
                grant.orElseThrow().release();
                left--;
                if (left > 0) {
                    start();
                }
            });
        }
    }
}
