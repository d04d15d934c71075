package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.majority.Cluster;
import io.github.cassandralock.internal.majority.MajorityAlgorithm;
import io.github.cassandralock.internal.majority.MajorityContext;
import io.github.cassandralock.internal.majority.MajoritySettings;
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
import org.jspecify.annotations.Nullable;

/**
 * Processes that take one lock in a majority of three or five clusters. Links lose messages, clusters are down, one
 * at a time is emptied, processes pause for longer than a lease, die, and have wrong clocks. One seed decides
 * everything.
 */
final class MajorityWorld {

    static final Duration LEASE = Duration.ofSeconds(4);
    static final String LOCK = "lock";

    private static final double DRIFT = 0.05;
    private static final Duration CLUSTER_TIMEOUT = LEASE.dividedBy(10);
    private static final Duration CALENDARS = Duration.ofSeconds(60);
    private static final Duration FAULTS = Duration.ofSeconds(90);
    private static final Duration AFTERWARDS = Duration.ofMinutes(4);

    /** A process, with the lock of each cluster. */
    final class Member {

        private final int number;
        private final SimulatedProcess process;
        private final List<SimulatedLink> links = new ArrayList<>();
        private final List<SimulatedClusterLock> locks = new ArrayList<>();
        private final MajorityAlgorithm algorithm;

        Member(int number, SimulatedProcess process, MajoritySettings settings, Duration latestReport) {
            this.number = number;
            this.process = process;
            SplittableRandom own = random.split();
            List<Cluster> seen = new ArrayList<>();
            for (SimulatedCluster cluster : clusters) {
                SimulatedLink link = new SimulatedLink(time, process, cluster, random.split());
                links.add(link);
                SimulatedClusterLock lock = new SimulatedClusterLock(link, random.split(), LEASE, DRIFT, latestReport);
                locks.add(lock);
                LockAlgorithm inner =
                        tickets.isEmpty() ? lock : tickets.get(seen.size()).seenBy(process, LEASE, DRIFT);
                seen.add(new Cluster("cluster-" + seen.size(), inner, lock, lock));
            }
            algorithm = new MajorityAlgorithm(
                    seen,
                    new MajorityContext(
                            settings, process, process, () -> new UUID(own.nextLong(), own.nextLong()), process));
        }

        SimulatedProcess process() {
            return process;
        }

        SimulatedLink link(int cluster) {
            return links.get(cluster);
        }

        SimulatedClusterLock lock(int cluster) {
            return locks.get(cluster);
        }

        Attempt acquire() {
            return algorithm.acquire(AcquireRequest.waits(LOCK, "process-" + number + "-" + ++threads));
        }

        Attempt tryAcquire() {
            return algorithm.acquire(AcquireRequest.tries(LOCK, "process-" + number + "-" + ++threads));
        }

        MajorityAlgorithm algorithm() {
            return algorithm;
        }

        MajorityChecker.Holding granted(Grant grant) {
            return checker.granted(process, number, grant);
        }
    }

    private final SplittableRandom random;
    private final SimulatedTime time = new SimulatedTime();
    private final MajorityChecker checker = new MajorityChecker(time);
    private final List<SimulatedCluster> clusters = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();

    /** The tables of the ticket lock, one for each cluster; empty if the locks of the clusters are simpler ones. */
    private final List<SimulatedTicketCluster> tickets = new ArrayList<>();

    private int threads;
    private boolean healed;

    MajorityWorld(long seed, int numberOfClusters) {
        random = new SplittableRandom(seed);
        for (int cluster = 0; cluster < numberOfClusters; cluster++) {
            clusters.add(new SimulatedCluster(time, LEASE));
        }
    }

    /** Three clusters with the ticket lock. */
    static MajorityWorld ofTickets(long seed) {
        MajorityWorld world = new MajorityWorld(seed, 3);
        world.takeTickets(0, 0);
        return world;
    }

    /** @param wallClock how far its wall clock is ahead */
    Member join(double rate, Duration wallClock, boolean strengthen, Duration latestReport) {
        return join(rate, wallClock, strengthen, latestReport, CLUSTER_TIMEOUT);
    }

    Member join(double rate, Duration wallClock, boolean strengthen, Duration latestReport, Duration clusterTimeout) {
        Member member = new Member(
                members.size(),
                new SimulatedProcess(time, rate, wallClock),
                new MajoritySettings(LEASE, LEASE, clusterTimeout, strengthen, CALENDARS),
                latestReport);
        members.add(member);
        return member;
    }

    /** A process to which the administrator gave another configuration. */
    Member joinMisconfigured() {
        Member member = new Member(
                members.size(),
                new SimulatedProcess(time, 1, Duration.ZERO),
                new MajoritySettings(LEASE, LEASE, CLUSTER_TIMEOUT, true, CALENDARS.plusSeconds(1)),
                Duration.ZERO);
        members.add(member);
        return member;
    }

    SimulatedTime time() {
        return time;
    }

    MajorityChecker checker() {
        return checker;
    }

    SplittableRandom random() {
        return random;
    }

    List<Member> members() {
        return members;
    }

    SimulatedCluster cluster(int number) {
        return clusters.get(number);
    }

    SimulatedTicketCluster tickets(int number) {
        return tickets.get(number);
    }

    void empty(int number, Loss what) {
        clusters.get(number).empty(what);
        if (!tickets.isEmpty()) {
            tickets.get(number).empty(what);
        }
    }

    List<String> violations() {
        return checker.violations();
    }

    /** All clusters have been watched for long enough, and all processes know it. */
    void untilMature() {
        time.runUntil(() -> clusters.stream().allMatch(SimulatedCluster::isTokenMature), Duration.ofMinutes(10));
        time.run(Duration.ofSeconds(1));
    }

    /** Everything at once. */
    static List<String> run(long seed) {
        return run(seed, false, false);
    }

    /** The same, and at the end a minority stays down. */
    static List<String> minorityDown(long seed) {
        return run(seed, true, false);
    }

    /** Everything, over the ticket lock. */
    static List<String> tickets(long seed) {
        return run(seed, seed % 2 == 0, true);
    }

    private static List<String> run(long seed, boolean minorityDown, boolean overTickets) {
        SplittableRandom dice = new SplittableRandom(seed ^ 0x5DEECE66DL);
        MajorityWorld world = new MajorityWorld(seed, dice.nextInt(4) == 0 ? 5 : 3);
        if (overTickets) {
            world.takeTickets(dice.nextDouble(0.03), dice.nextInt(2) * dice.nextDouble(0.02));
        }
        int processes = dice.nextInt(2, 5);
        boolean strengthen = dice.nextInt(4) != 0;
        Duration latestReport = Duration.ofMillis(dice.nextBoolean() ? 0 : 2_000);
        for (int process = 0; process < processes; process++) {
            world.join(
                    dice.nextDouble(0.98, 1.02),
                    Duration.ofMillis(dice.nextLong(-30_000, 30_000)),
                    strengthen,
                    latestReport);
        }
        world.untilMature();
        world.plan(dice);
        List<Worker> workers = world.work(dice);
        world.time.run(FAULTS);
        world.heal(minorityDown ? dice.nextInt(world.clusters.size() / 2 + 1) : 0);
        workers.forEach(Worker::lastRounds);
        world.time.runUntil(() -> workers.stream().allMatch(Worker::isDone), AFTERWARDS);
        workers.stream()
                .filter(worker -> !worker.isDone())
                .forEach(worker -> world.checker.violation(
                        Violation.NOT_SERVED, "process " + worker.member.number + " was not served any more"));
        return world.violations();
    }

    private List<Worker> work(SplittableRandom dice) {
        List<Worker> workers = new ArrayList<>();
        boolean longWork = dice.nextInt(3) == 0;
        for (Member member : members) {
            int count = dice.nextInt(4) == 0 ? 2 : 1;
            for (int thread = 0; thread < count; thread++) {
                Worker worker = new Worker(member, Duration.ofMillis(longWork ? 9_000 : 1_500));
                workers.add(worker);
                worker.begin();
            }
        }
        return workers;
    }

    private void plan(SplittableRandom dice) {
        if (dice.nextBoolean()) {
            lookAtAll(dice.split());
        }
        SimulatedLink.Weather weather = new SimulatedLink.Weather(
                dice.nextDouble(0.04), dice.nextInt(2) * dice.nextDouble(0.03), Duration.ofSeconds(6));
        for (Member member : members) {
            member.links.forEach(link -> link.weather(weather));
            plan(dice, member);
        }
        int downs = dice.nextInt(5);
        for (int down = 0; down < downs; down++) {
            SimulatedCluster cluster = clusters.get(dice.nextInt(clusters.size()));
            Duration length = Duration.ofMillis(dice.nextLong(300, 12_000));
            time.at(Duration.ofMillis(dice.nextLong(FAULTS.toMillis())), () -> {
                cutTickets(cluster, null, length);
                cluster.down(true);
                time.at(length, () -> cluster.down(false));
            });
        }
        int emptied = dice.nextInt(7);
        for (int loss = 0; loss < emptied; loss++) {
            SimulatedCluster cluster = clusters.get(dice.nextInt(clusters.size()));
            Loss what = dice.nextBoolean() ? Loss.ALL : dice.nextBoolean() ? Loss.SLOTS : Loss.SESSIONS;
            time.at(Duration.ofMillis(dice.nextLong(FAULTS.toMillis())), () -> emptyIfAlone(cluster, what));
        }
    }

    private void plan(SplittableRandom dice, Member member) {
        int cuts = dice.nextInt(5);
        for (int cut = 0; cut < cuts; cut++) {
            int cluster = dice.nextInt(clusters.size());
            SimulatedLink link = member.links.get(cluster);
            Duration length = Duration.ofMillis(dice.nextLong(300, 12_000));
            time.at(Duration.ofMillis(dice.nextLong(FAULTS.toMillis())), () -> {
                cutTickets(clusters.get(cluster), member.process, length);
                link.cut(true);
                time.at(length, () -> link.cut(false));
            });
        }
        if (dice.nextInt(3) == 0) {
            SimulatedClusterLock lock = member.locks.get(dice.nextInt(clusters.size()));
            Duration length = Duration.ofMillis(dice.nextLong(300, 12_000));
            time.at(Duration.ofMillis(dice.nextLong(FAULTS.toMillis())), () -> {
                lock.loseBirths(true);
                time.at(length, () -> lock.loseBirths(false));
            });
        }
        int pauses = dice.nextInt(4);
        for (int pause = 0; pause < pauses; pause++) {
            Duration length = Duration.ofMillis(dice.nextLong(100, 10_000));
            time.at(Duration.ofMillis(dice.nextLong(FAULTS.toMillis())), () -> member.process.pauseFor(length));
        }
        if (dice.nextInt(4) == 0) {
            member.process.pauseBetweenSteps(dice.split(), 0.004, Duration.ofSeconds(6));
        }
        if (dice.nextInt(8) == 0 && member.number > 0) {
            time.at(Duration.ofMillis(dice.nextLong(FAULTS.toMillis())), member.process::kill);
        }
    }

    private void lookAtAll(SplittableRandom dice) {
        time.at(Duration.ofMillis(dice.nextLong(1, 200)), () -> {
            checker.look();
            if (!healed) {
                lookAtAll(dice);
            }
        });
    }

    /** One minority at a time: all others are mature. */
    private void emptyIfAlone(SimulatedCluster cluster, Loss what) {
        long young = clusters.stream()
                .filter(other -> other != cluster && !other.isMature())
                .count();
        if (young < clusters.size() / 2) {
            empty(clusters.indexOf(cluster), what);
        }
    }

    private void takeTickets(double lost, double late) {
        clusters.forEach(cluster -> tickets.add(new SimulatedTicketCluster(time, random.split(), lost, late)));
    }

    /** @param process null: for all */
    private void cutTickets(SimulatedCluster cluster, @Nullable SimulatedProcess process, Duration length) {
        if (!tickets.isEmpty()) {
            tickets.get(clusters.indexOf(cluster)).cut(process, length);
        }
    }

    /** @param staysDown how many clusters do not come back */
    private void heal(int staysDown) {
        healed = true;
        members.forEach(member -> {
            member.process.pauseNoMore();
            member.links.forEach(link -> link.weather(SimulatedLink.Weather.FAIR));
        });
        time.run(Duration.ofSeconds(12));
        tickets.forEach(SimulatedTicketCluster::heal);
        List<SimulatedCluster> young =
                clusters.stream().filter(cluster -> !cluster.isMature()).toList();
        List<SimulatedCluster> order = new ArrayList<>(young);
        clusters.stream().filter(cluster -> !young.contains(cluster)).forEach(order::add);
        int offset = young.isEmpty() ? random.nextInt(order.size()) : 0;
        for (int down = 0; down < staysDown; down++) {
            SimulatedCluster lost = order.get((down + offset) % order.size());
            lost.down(true);
            cutTickets(lost, null, AFTERWARDS.multipliedBy(2));
        }
    }

    /** Takes the lock again and again, works under it, and releases it. */
    final class Worker {

        private static final int LAST_ROUNDS = 2;

        private final Member member;
        private final long longestWork;
        private int left = Integer.MAX_VALUE;

        Worker(Member member, Duration longestWork) {
            this.member = member;
            this.longestWork = longestWork.toMillis();
        }

        boolean isDone() {
            return left <= 0 || member.process.isDead();
        }

        void lastRounds() {
            left = LAST_ROUNDS;
        }

        void begin() {
            if (left <= 0) {
                return;
            }
            boolean soft = !healed && random.nextInt(5) == 0;
            Attempt attempt = soft ? member.tryAcquire() : member.acquire();
            if (!soft && !healed && random.nextInt(6) == 0) {
                member.process.after(Duration.ofMillis(random.nextLong(3_000))).thenRun(attempt::giveUp);
            }
            attempt.getOutcome().whenComplete(this::ended);
        }

        private void ended(@Nullable Optional<Grant> granted, @Nullable Throwable failure) {
            if (granted != null && granted.isPresent()) {
                work(granted.get());
            } else {
                member.process.after(Duration.ofMillis(random.nextLong(1, 400))).thenRun(this::begin);
            }
        }

        private void work(Grant grant) {
            MajorityChecker.Holding holding = member.granted(grant);
            long length = random.nextLong(1, longestWork);
            if (random.nextBoolean()) {
                member.process
                        .after(Duration.ofMillis(random.nextLong(length)))
                        .thenRun(() -> grant.reserveFencingToken().whenComplete((token, failure) -> {
                            if (failure == null) {
                                checker.shown(holding, token);
                            }
                        }));
            }
            if (random.nextBoolean()) {
                member.process.after(Duration.ofMillis(random.nextLong(length))).thenRun(() -> checker.claims(holding));
            }
            member.process.after(Duration.ofMillis(length)).thenRun(() -> {
                checker.claims(holding);
                checker.released(holding);
                grant.release();
                left--;
                member.process.after(Duration.ofMillis(random.nextLong(50))).thenRun(this::begin);
            });
        }
    }
}
