package io.github.cassandralock.simulation;

import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.steps.PollBounds;
import io.github.cassandralock.thesis.lease.LeaseTerms;
import io.github.cassandralock.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.thesis.time.GlobalTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Processes that run the algorithm {@code queue} on simulated replicas, all decided by one seed. */
public final class QueueWorld {

    public static final Duration LEASE = Duration.ofSeconds(4);
    public static final String LOCK = "lock";

    /** One process and the algorithm on it. */
    public record Member(int number, SimulatedProcess process, QueueAlgorithm algorithm) {}

    private record Held(Member member, Grant grant) {}

    private final SplittableRandom random;
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedCells cells;
    private final List<Member> members = new ArrayList<>();
    private final List<Held> grants = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private int threads;

    /** @param faulty whether messages get lost or very late, and calendars disagree */
    public QueueWorld(long seed, int processes, boolean faulty) {
        random = new SplittableRandom(seed);
        SimulatedNetwork network = new SimulatedNetwork(
                time,
                random.split(),
                new Climate.Way(
                        Duration.ofMillis(3),
                        false,
                        faulty ? 0.02 : 0,
                        faulty ? 0.02 : 0,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2)));
        cells = new SimulatedCells(time, network);
        for (int number = 0; number < processes; number++) {
            double rate = faulty ? random.nextDouble(0.98, 1.02) : 1;
            Duration offset = Duration.ofMillis(faulty ? random.nextLong(-60_000, 60_000) : 0);
            members.add(member(number, new SimulatedProcess(time, rate, offset)));
        }
    }

    private Member member(int number, SimulatedProcess process) {
        QueueAlgorithm algorithm = new QueueAlgorithm(
                cells.table("queue", process),
                cells.table("main", process),
                GlobalTime.start(cells.globalTime(process), process, process),
                new LeaseTerms(LEASE, 0.05),
                new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250)),
                process,
                process,
                random.split());
        return new Member(number, process, algorithm);
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

    public long operations() {
        return cells.operations();
    }

    /** What should never have happened. */
    public List<String> violations() {
        return violations;
    }

    public Attempt acquire(Member member) {
        return watched(member, member.algorithm().acquire(LOCK, threadId(member)));
    }

    public Attempt tryAcquire(Member member) {
        return watched(member, member.algorithm().tryAcquire(LOCK, threadId(member)));
    }

    private String threadId(Member member) {
        return "process-" + member.number() + "-thread-" + ++threads;
    }

    private Attempt watched(Member member, Attempt attempt) {
        attempt.outcome().thenAccept(grant -> grant.ifPresent(g -> granted(new Held(member, g))));
        return attempt;
    }

    private void granted(Held held) {
        grants.removeIf(other -> !other.grant().isValid());
        if (held.grant().isValid()) {
            grants.forEach(other -> violations.add("at " + Duration.ofNanos(time.now()) + " process "
                    + held.member().number() + " holds the lock while process "
                    + other.member().number() + " does"));
            grants.add(held);
        }
    }

    /** Takes the lock, works under it, releases it, so many times over; counts what it completed. */
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
            acquire(member).outcome().whenComplete((grant, failure) -> {
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
