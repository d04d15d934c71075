package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.deadlock.DeadlockSettings;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.lock.Deadlocks;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Processes whose callers take several locks in any order and wait for each other in cycles, on simulated replicas, all decided by
 * one seed. {@link DeadlockChecker} determines who really waits for whom.
 */
public final class DeadlockWorld {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final double DRIFT = 0.05;
    private static final Duration MARGIN = Duration.ofMillis(1_100);
    private static final PollBounds POLL = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));

    /** Longer than deadlocks, evictions and new tries take. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final SplittableRandom random;
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedNetwork network;
    private final SimulatedSlots slots;
    private final SimulatedSessions sessions;
    private final SimulatedWaits waits;
    private final List<Member> members = new ArrayList<>();
    private final List<Caller> callers = new ArrayList<>();
    private final DeadlockChecker checker;
    private final List<String> locks;
    private final List<LockMode> modes;
    private final Faults faults;

    /** How many permits requests for a lock have, by the lock. */
    private Map<String, Integer> permits = Map.of();

    /** Has a version without permits. */
    private Optional<Member> older = Optional.empty();

    /** The share of requests without permits for a lock that has permits. */
    private double plain;

    /**
     * What goes wrong.
     *
     * @param period how long faults go on; afterwards there are none
     * @param impatient the share of calls that give up
     * @param longestPatience how long these wait
     * @param conversions the share of holders that convert a lock
     */
    private record Faults(
            Duration period,
            FaultModel.Transport transport,
            int outages,
            int pauses,
            int kills,
            double impatient,
            Duration longestPatience,
            double conversions) {

        static Faults none() {
            return new Faults(
                    Duration.ZERO,
                    FaultModel.Transport.safe(Duration.ofMillis(3), false),
                    0,
                    0,
                    0,
                    0,
                    Duration.ofSeconds(1),
                    0);
        }

        static Faults any(SplittableRandom random) {
            boolean calm = random.nextInt(4) == 0;
            FaultModel.Transport transport = new FaultModel.Transport(
                    Duration.ofMillis(random.nextInt(2, 60)),
                    random.nextBoolean(),
                    calm ? 0 : random.nextDouble(0.15),
                    calm ? 0 : random.nextDouble(0.3),
                    Duration.ofMillis(random.nextInt(100, 6_000)),
                    Duration.ofMillis(random.nextInt(500, 2_000)));
            return new Faults(
                    Duration.ofSeconds(30),
                    transport,
                    random.nextInt(5),
                    calm ? 0 : random.nextInt(4),
                    random.nextInt(3) == 0 ? 1 : 0,
                    random.nextBoolean() ? 0.1 : random.nextDouble(0.7),
                    Duration.ofMillis(random.nextInt(500, 9_000)),
                    random.nextBoolean() ? 0 : random.nextDouble(0.8));
        }
    }

    /** One process. */
    private record Member(int number, SimulatedProcess process, TicketAlgorithm algorithm) {}

    private DeadlockWorld(
            long seed,
            Faults faults,
            int processes,
            int lockCount,
            List<LockMode> modes,
            List<DeadlockSettings> settings) {
        this.random = new SplittableRandom(seed);
        this.faults = faults;
        this.modes = modes;
        this.locks =
                IntStream.range(0, lockCount).mapToObj(lock -> "lock " + lock).toList();
        network = new SimulatedNetwork(time, random.split(), faults.transport());
        slots = new SimulatedSlots(time, network, random.split(), Duration.ofSeconds(1));
        sessions = new SimulatedSessions(time, network, random.split());
        waits = new SimulatedWaits(time, network);
        checker = new DeadlockChecker(time);
        for (int number = 0; number < processes; number++) {
            members.add(member(number, settings.get(number % settings.size())));
        }
    }

    private Member member(int number, DeadlockSettings settings) {
        double rate = 1 + DRIFT * random.nextDouble(-0.9, 0.9);
        SimulatedProcess process = new SimulatedProcess(time, rate, Duration.ZERO);
        if (faults.transport().unequal()) {
            process.moveTo(random.nextDouble());
        }
        SplittableRandom ids = random.split();
        SlotStore seenSlots = slots.seenBy(process);
        SessionContext context = new SessionContext(
                sessions.seenBy(process),
                new SessionSettings(LEASE, DRIFT),
                process,
                process,
                () -> new UUID(ids.nextLong(), ids.nextLong()),
                "process " + number);
        TicketAlgorithm algorithm = new TicketAlgorithm(
                seenSlots,
                context,
                NoticeChannel.OFF,
                new TicketSettings(
                        Duration.ofMinutes(30),
                        Duration.ofMinutes(5),
                        MARGIN,
                        Duration.ofMillis(50),
                        POLL,
                        Duration.ZERO),
                process,
                Optional.of(Deadlocks.of(waits.seenBy(process), seenSlots, context, settings)));
        return new Member(number, process, algorithm);
    }

    /**
     * Callers of several processes, with and without owners, take two to four locks in any order, convert them, give up, lose
     * their sessions and die, while writes and removals are late or lost.
     *
     * @return what should not have happened
     */
    static List<String> anything(long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        Faults faults = Faults.any(random);
        List<LockMode> modes = switch (random.nextInt(4)) {
            case 0 -> List.of(LockMode.EXCLUSIVE);
            case 1 -> List.of(LockMode.PROTECTED_READ, LockMode.PROTECTED_READ, LockMode.EXCLUSIVE);
            case 2 -> List.of(LockMode.PROTECTED_READ, LockMode.CONCURRENT_WRITE, LockMode.PROTECTED_WRITE);
            default -> List.of(LockMode.values());
        };
        return new DeadlockWorld(seed, faults, random.nextInt(1, 5), random.nextInt(2, 5), modes, settings(random))
                .with(random);
    }

    /**
     * Callers take several locks of two or three permits in any order, amid all faults. In half of the schedules, some request such a lock without permits, or with
     * one more.
     */
    static List<String> permits(long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        Faults faults = Faults.any(random);
        List<LockMode> modes = random.nextBoolean()
                ? List.of(LockMode.EXCLUSIVE)
                : List.of(LockMode.PROTECTED_READ, LockMode.PROTECTED_READ, LockMode.EXCLUSIVE);
        DeadlockWorld world =
                new DeadlockWorld(seed, faults, random.nextInt(1, 5), random.nextInt(2, 4), modes, settings(random));
        world.permits =
                world.locks.stream().collect(Collectors.toMap(lock -> lock, lock -> Math.max(1, random.nextInt(4))));
        world.plain = random.nextBoolean() ? 0 : random.nextDouble(0.4);
        return world.with(random);
    }

    /** One process has a version without permits, which cannot read the waits of others. Each call gives up. */
    static List<String> twoVersions(long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        DeadlockWorld world = new DeadlockWorld(
                seed,
                Faults.any(random),
                random.nextInt(2, 5),
                random.nextInt(2, 4),
                List.of(LockMode.EXCLUSIVE),
                settings(random));
        world.permits = world.locks.stream().collect(Collectors.toMap(lock -> lock, lock -> random.nextInt(2, 4)));
        world.older = Optional.of(world.members.get(0));
        world.slots.showWithoutPermits(world.members.get(0).process());
        world.waits.useAnOlderFormat(world.members.get(0).process());
        return world.with(random);
    }

    /** Runs with a few callers. */
    private List<String> with(SplittableRandom random) {
        int more = permits.isEmpty() ? 0 : 2;
        for (int owner = random.nextInt(2, 7) + more; owner > 0; owner--) {
            addCaller(true, random.nextInt(1, 6));
        }
        for (int nobody = random.nextInt(3); nobody > 0; nobody--) {
            addCaller(false, random.nextInt(1, 10));
        }
        return run();
    }

    /** The permits of one request for this lock. */
    private int permitsFor(String lock) {
        int most = permits.getOrDefault(lock, 1);
        if (most == 1 || plain == 0 || random.nextDouble() >= plain) {
            return most;
        }
        return random.nextBoolean() ? 1 : most + 1;
    }

    private static List<DeadlockSettings> settings(SplittableRandom random) {
        DeadlockSettings usual = new DeadlockSettings(
                Duration.ofMillis(random.nextInt(100, 1_500)), Duration.ofMillis(random.nextInt(300, 1_500)));
        return random.nextInt(3) == 0
                ? List.of(usual, new DeadlockSettings(Duration.ofMillis(300), Duration.ofMillis(2_000)))
                : List.of(usual);
    }

    /**
     * The holders of all permits of a lock wait for another lock, whose holder waits for a permit. Each is in a process of its own.
     *
     * @return how long the last call has waited when one of the calls ends
     */
    public static Duration untilFound(long seed, int permits, DeadlockSettings settings) {
        DeadlockWorld world =
                new DeadlockWorld(seed, Faults.none(), permits + 1, 2, List.of(LockMode.EXCLUSIVE), List.of(settings));
        List<LockOwner> owners = IntStream.rangeClosed(0, permits)
                .mapToObj(owner -> LockOwner.named("caller " + owner))
                .toList();
        List<Attempt> held = IntStream.rangeClosed(0, permits)
                .mapToObj(owner ->
                        owner < permits ? world.take(owners, owner, 0, permits) : world.take(owners, owner, 1, 1))
                .toList();
        world.time.runUntil(() -> held.stream().allMatch(DeadlockWorld::isDone), PATIENCE);
        List<Attempt> calls = new ArrayList<>();
        for (int owner = 0; owner <= permits; owner++) {
            world.time.run(Duration.ofMillis(world.random.nextInt(1_000)));
            calls.add(owner < permits ? world.take(owners, owner, 1, 1) : world.take(owners, owner, 0, permits));
        }
        long began = world.time.now();
        world.time.runUntil(() -> calls.stream().anyMatch(DeadlockWorld::isDone), PATIENCE);
        return Duration.ofNanos(world.time.now() - began);
    }

    private Attempt take(List<LockOwner> owners, int owner, int lock, int number) {
        return members.get(owner)
                .algorithm()
                .acquire(new AcquireRequest(
                        locks.get(lock),
                        "thread",
                        AcquireRequest.Kind.WAITS,
                        LockMode.EXCLUSIVE,
                        Optional.of(owners.get(owner)),
                        number));
    }

    private static boolean isDone(Attempt attempt) {
        return attempt.getOutcome().toCompletableFuture().isDone();
    }

    private void addCaller(boolean hasOwner, int rounds) {
        int number = callers.size();
        Member member = any(members);
        LockOwner owner = hasOwner ? LockOwner.named("caller " + number) : null;
        callers.add(new Caller(member, owner, checker.newParty(owner, member.number()), rounds));
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private List<String> run() {
        misfortunes();
        callers.forEach(Caller::pauseThenBegin);
        time.runUntil(this::allDone, faults.period());
        network.heal();
        time.runUntil(this::allDone, PATIENCE);
        callers.stream()
                .filter(caller -> !caller.isDone())
                .forEach(caller -> checker.violation(
                        Violation.NOT_SERVED, caller.party + " is never served: it " + checker.state(caller.party)));
        return checker.violations();
    }

    private boolean isHealed() {
        return network.isHealed() || faults.period().isZero();
    }

    private boolean allDone() {
        return callers.stream().allMatch(Caller::isDone);
    }

    private void misfortunes() {
        long period = Math.max(1, faults.period().toMillis());
        for (int pause = 0; pause < faults.pauses(); pause++) {
            SimulatedProcess victim = any(members).process();
            Duration length = Duration.ofMillis(random.nextLong(8_000));
            time.at(Duration.ofMillis(random.nextLong(period)), () -> victim.pauseFor(length));
        }
        for (int kill = 0; kill < faults.kills(); kill++) {
            Member victim = any(members);
            time.at(Duration.ofMillis(random.nextLong(period)), () -> {
                victim.process().kill();
                callers.stream()
                        .filter(caller -> caller.member.equals(victim))
                        .forEach(caller -> checker.died(caller.party));
            });
        }
        List<String> tables =
                List.of(SimulatedWaits.TABLE, SimulatedWaits.TABLE, SimulatedSlots.TABLE, SimulatedSessions.TABLE);
        for (int outage = 0; outage < faults.outages(); outage++) {
            network.close(
                    random.nextInt(4) == 0 ? null : any(members).process(),
                    any(tables),
                    random.nextInt(3) == 0 ? random.nextInt(3) : -1,
                    Duration.ofMillis(random.nextLong(period)),
                    Duration.ofMillis(random.nextLong(100, 8_000)));
        }
    }

    /** Somebody who takes locks one after the other, works, and releases them all. */
    private final class Caller {

        private final Member member;
        private final @Nullable LockOwner owner;
        private final DeadlockChecker.Party party;
        private final List<Grant> held = new ArrayList<>();
        private List<String> plan = List.of();
        private int left;

        Caller(Member member, @Nullable LockOwner owner, DeadlockChecker.Party party, int rounds) {
            this.member = member;
            this.owner = owner;
            this.party = party;
            this.left = rounds;
        }

        boolean isDone() {
            return left == 0 || member.process().isDead();
        }

        void pauseThenBegin() {
            member.process().after(Duration.ofMillis(random.nextInt(400))).thenRun(this::begin);
        }

        /** One without an owner takes one lock. */
        private void begin() {
            List<String> order = new ArrayList<>(locks);
            for (int place = order.size() - 1; place > 0; place--) {
                Collections.swap(order, place, random.nextInt(place + 1));
            }
            plan = order.subList(0, owner == null ? 1 : random.nextInt(2, order.size() + 1));
            take(0);
        }

        private void take(int place) {
            if (place == plan.size()) {
                work();
                return;
            }
            String lock = plan.get(place);
            int number = older.filter(member::equals).isPresent() ? 1 : permitsFor(lock);
            LockMode mode = number == 1 ? any(modes) : LockMode.EXCLUSIVE;
            AcquireRequest.Kind kind = random.nextInt(12) == 0 ? AcquireRequest.Kind.TRIES : AcquireRequest.Kind.WAITS;
            Attempt attempt = member.algorithm()
                    .acquire(new AcquireRequest(lock, "thread", kind, mode, Optional.ofNullable(owner), number));
            DeadlockChecker.Waiting waiting = checker.waits(party, lock, mode, number, null);
            follow(attempt, waiting, grant -> {
                held.add(grant);
                checker.holds(party, lock, number, grant);
                pauseThen(random.nextInt(60), () -> take(place + 1));
            });
        }

        private void work() {
            if (!held.isEmpty() && random.nextDouble() < faults.conversions()) {
                convert(any(held));
            } else {
                pauseThen(random.nextInt(longestWork()), this::finish);
            }
        }

        /** A holder without an owner is in no deadlock, however long it uses a permit. */
        private int longestWork() {
            return owner == null && !permits.isEmpty() ? 8_000 : 100;
        }

        private void convert(Grant grant) {
            LockMode target = any(modes.size() == 1 ? List.of(LockMode.values()) : modes);
            LockMode from = grant.getMode().orElseThrow();
            if (!grant.isValid() || checker.isPermit(grant)) {
                finish();
                return;
            }
            LockMode wanted = from.covers(target) ? target : from.leastCovering(target);
            Attempt attempt = random.nextInt(12) == 0 ? grant.tryConvert(target) : grant.convert(target);
            DeadlockChecker.Waiting waiting = checker.waits(party, checker.lockOf(grant), wanted, 1, grant);
            checker.modesHaveChanged(party);
            follow(attempt, waiting, converted -> pauseThen(random.nextInt(60), this::work));
        }

        private void follow(Attempt attempt, DeadlockChecker.Waiting waiting, Consumer<Grant> granted) {
            if (older.isPresent() || (!isHealed() && random.nextDouble() < faults.impatient())) {
                pauseThen((int) random.nextLong(faults.longestPatience().toMillis()), () -> {
                    if (!attempt.getOutcome().toCompletableFuture().isDone()) {
                        checker.ended(waiting);
                        attempt.giveUp();
                    }
                });
            }
            if (!held.isEmpty() && random.nextInt(8) == 0) {
                pauseThen(random.nextInt(8_000), () -> giveBackWhileItWaits(attempt, waiting));
            }
            attempt.getOutcome().whenComplete((grant, failure) -> {
                if (failure instanceof LockDeadlockException deadlock) {
                    checker.victim(waiting, deadlock);
                }
                checker.ended(waiting);
                checker.modesHaveChanged(party);
                if (failure == null && grant.isPresent()) {
                    granted.accept(grant.get());
                } else {
                    pauseThen(random.nextInt(50), this::giveAllBack);
                }
            });
        }

        /** An owner may have several threads. */
        private void giveBackWhileItWaits(Attempt attempt, DeadlockChecker.Waiting waiting) {
            if (!attempt.getOutcome().toCompletableFuture().isDone() && !held.isEmpty()) {
                Grant grant = any(held);
                if (!waiting.converts(grant)) {
                    held.remove(grant);
                    checker.released(party, grant);
                    grant.release();
                }
            }
        }

        private void finish() {
            left--;
            giveAllBack();
        }

        private void giveAllBack() {
            held.forEach(grant -> {
                checker.released(party, grant);
                grant.release();
            });
            held.clear();
            if (left > 0) {
                pauseThenBegin();
            }
        }

        private void pauseThen(int millis, Runnable next) {
            member.process().after(Duration.ofMillis(millis)).thenRun(next);
        }
    }
}
