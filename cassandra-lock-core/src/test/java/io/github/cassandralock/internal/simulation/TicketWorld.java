package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.SimulatedLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.ticket.GrantedSlots;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/** Processes that run the algorithm {@code ticket} on simulated replicas, all decided by one seed. */
public final class TicketWorld {

    public static final String LOCK = "lock";
    private static final double EPSILON = 0.05;
    private static final Duration SERVERS_APART = Duration.ofSeconds(1);
    private static final Duration EXPIRY_MARGIN = SERVERS_APART.plusMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    /** How long faults go on at most after the last thread is done. */
    private static final Duration AFTERMATH = Duration.ofSeconds(3);

    /** The default settings of an application. */
    private static final Duration USUAL_LEASE = Duration.ofSeconds(15);

    private final FaultModel faultModel;
    private final Duration lease;

    /** Some vanish before others have read them; the others stay for longer than any waiter is patient. */
    private final Duration idleLife;

    private final SplittableRandom random;
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedNetwork network;
    private final SimulatedSlots slots;
    private final SimulatedSessions sessions;
    private final List<Member> members = new ArrayList<>();
    private final SafetyChecker checker;
    private final double failingCalls;
    private final SimulatedNotices notices;
    private final List<CompletableFuture<Void>> closing = new ArrayList<>();
    private boolean breaking;
    private boolean converting;

    /** How often a holder uses the value of the lock. */
    private double valuing;

    /** From which each request takes one; a mode that occurs twice is asked for twice as often. */
    private List<LockMode> modes = List.of(LockMode.EXCLUSIVE);

    private Duration longestMinimum = Duration.ZERO;

    /** One process, the algorithm on it and its threads. */
    public record Member(
            int number,
            SimulatedProcess process,
            TicketAlgorithm algorithm,
            SimulatedTimers timers,
            SimulatedLocker locker,
            SlotLog log,
            SessionLog sessionLog,
            List<Worker> workers) {

        /** Whether its locker, or something that the locker needs, has been asked to end. */
        boolean isEnding() {
            return locker.isClosed() || timers.isClosed();
        }
    }

    /** How one process is configured. */
    private record Settings(Duration lease, double drift, PollBounds poll) {

        private static final PollBounds POLL = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));

        static Settings usual(Duration lease) {
            return new Settings(lease, EPSILON, POLL);
        }

        static Settings any(SplittableRandom random) {
            Duration shortestPause = Duration.ofMillis(random.nextInt(1, 20));
            return new Settings(
                    Duration.ofMillis(random.nextInt(1_500, 12_000)),
                    random.nextDouble(0.01, 0.1),
                    new PollBounds(shortestPause, shortestPause.multipliedBy(random.nextInt(2, 50))));
        }
    }

    /** What one lock cost on average, all operations of all processes counted. */
    public record Cost(double operationsPerLock, double millisPerLock) {}

    public TicketWorld(long seed, FaultModel faultModel, int processes) {
        this(seed, faultModel, NoticeFaults.OFF, processes, FaultModel.LEASE);
    }

    private TicketWorld(long seed, FaultModel faultModel, NoticeFaults noticeFaults, int processes, Duration lease) {
        this.faultModel = faultModel;
        this.lease = lease;
        this.idleLife = seed % 2 == 0 ? Duration.ofSeconds(5) : PATIENCE.multipliedBy(2);
        this.random = new SplittableRandom(seed);
        network = new SimulatedNetwork(time, random.split(), faultModel.transport());
        slots = new SimulatedSlots(time, network, random.split(), faultModel.drift() ? SERVERS_APART : Duration.ZERO);
        sessions = new SimulatedSessions(time, network, random.split());
        checker = new SafetyChecker(time, sessions);
        notices = new SimulatedNotices(time, random.split(), noticeFaults);
        failingCalls = faultModel.faultPeriod().isZero() || random.nextInt(3) != 0 ? 0 : random.nextDouble(0.03);
        for (int number = 0; number < processes; number++) {
            members.add(member(number));
        }
    }

    /**
     * A whole schedule: two to four processes of one to three threads take one lock a few times each, through everything
     * of the fault model.
     *
     * @return what should not have happened
     */
    public static List<String> run(long seed, FaultModel faultModel) {
        return run(seed, faultModel, NoticeFaults.OFF);
    }

    /** The same among processes that exchange notices, or some of which do. */
    static List<String> run(long seed, FaultModel faultModel, NoticeFaults noticeFaults) {
        SplittableRandom random = new SplittableRandom(~seed);
        TicketWorld world = new TicketWorld(seed, faultModel, noticeFaults, random.nextInt(2, 5), FaultModel.LEASE);
        world.addWorkers(random, noticeFaults.rounds());
        world.misfortunes();
        if (random.nextBoolean()) {
            world.time.afterEachEvent(world.checker::look);
        }
        world.startWorkers();
        return world.violationsToTheEnd();
    }

    /** One to three threads for each process. */
    private void addWorkers(SplittableRandom random, int rounds) {
        for (Member member : members) {
            for (int thread = random.nextInt(1, 4); thread > 0; thread--) {
                member.workers().add(new Worker(member, random.nextInt(1, rounds)));
            }
        }
    }

    private void startWorkers() {
        members.forEach(member -> member.workers().forEach(Worker::start));
    }

    /**
     * Lockers close one after the other while threads take short locks, and steps pause. In half of the schedules processes
     * exchange notices.
     *
     * @return what should not have happened
     */
    static List<String> closings(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel races = FaultModel.noticeRaces(random);
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.races(random) : NoticeFaults.OFF;
        TicketWorld world = new TicketWorld(seed, races, noticeFaults, 4, FaultModel.LEASE);
        if (random.nextInt(4) == 0) {
            world.modes = mixture(random);
        }
        world.addWorkers(random, 12);
        world.misfortunes();
        for (Member member : world.members) {
            world.time.at(
                    Duration.ofMillis(random.nextLong(1_000)),
                    () -> member.process().run(() -> world.close(member)));
        }
        world.startWorkers();
        return world.violationsToTheEnd();
    }

    /**
     * The holder cannot renew its session for more than half a lease, is heard for a while, and cannot renew it again. The
     * first renewal may have arrived without an answer.
     *
     * @return what should not have happened
     */
    static List<String> renewalsSentAgain(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.slowAnswers(), 2);
        SimulatedProcess holder = world.members.get(0).process();
        long cut = 1_000 * world.random.nextLong(1, 3) + world.random.nextLong(300);
        long heard = cut + world.random.nextLong(1_200, 1_700);
        long cutAgain = heard + world.random.nextLong(100, 900);
        world.cutOff(SimulatedSessions.TABLE, holder, cut, heard);
        world.cutOff(SimulatedSessions.TABLE, holder, cutAgain, cutAgain + 6_000);
        for (Member member : world.members) {
            Worker worker = world.new Worker(member, 2);
            member.workers().add(worker);
            world.time.at(Duration.ofMillis(500L * member.number()), worker::start);
        }
        return world.violationsToTheEnd();
    }

    /**
     * Every second request has a minimum time, often longer than the lease, and lockers close while locks stay taken. Processes
     * are paused and killed, and messages get lost; in half of the schedules processes exchange notices.
     *
     * @return what should not have happened
     */
    static List<String> minimumTimes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = random.nextBoolean() ? FaultModel.noticeRaces(random) : FaultModel.any(random);
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.races(random) : NoticeFaults.OFF;
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, 4, FaultModel.LEASE);
        world.longestMinimum = Duration.ofMillis(random.nextBoolean() ? 200 : 20_000);
        if (random.nextBoolean()) {
            world.modes = mixture(random);
        }
        world.addWorkers(random, 5);
        world.misfortunes();
        for (Member member : world.members.subList(0, 2)) {
            world.time.at(
                    Duration.ofMillis(random.nextLong(5_000)),
                    () -> member.process().run(() -> world.close(member)));
        }
        world.startWorkers();
        return world.violationsToTheEnd();
    }

    /**
     * Threads ask for the lock in different modes, through everything of the fault model: readers and writers, or all modes,
     * or those that conflict in part.
     *
     * @return what should not have happened
     */
    static List<String> modes(long seed) {
        return modes(seed, false);
    }

    /**
     * The same, and holders convert their handles up and down, a few times each. Conversions up have a time-out, because two of them
     * may wait for each other.
     *
     * @return what should not have happened
     */
    static List<String> conversions(long seed) {
        return modes(seed, true);
    }

    /**
     * A holder converts its handle, and gives that up while another thread runs the lock's tasks. The tasks that decide the conversion
     * may be among those that wait meanwhile.
     *
     * @return what should not have happened
     */
    static List<String> conversionsGivenUp(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TicketWorld world = random.nextBoolean() ? quiet(seed, 1) : quietWithNotices(seed, 1);
        List<LockMode> modes = List.of(LockMode.values());
        LockMode before = modes.get(random.nextInt(modes.size()));
        LockMode target = modes.get(random.nextInt(modes.size()));
        CompletableFuture<Optional<Grant>> granted =
                world.acquire(world.members.get(0), before).outcome().toCompletableFuture();
        world.time.runUntil(granted::isDone, PATIENCE);
        Grant grant = granted.join().orElseThrow();
        if (before.covers(LockMode.PROTECTED_WRITE) && random.nextBoolean()) {
            grant.value(SimulatedValue.bytes(1));
            world.time.run(Duration.ofSeconds(1));
        }
        return world.givenUp(grant, before, target, random);
    }

    private List<String> givenUp(Grant grant, LockMode before, LockMode target, SplittableRandom random) {
        List<Attempt> begun = new ArrayList<>();
        List<LockMode> told = new ArrayList<>();
        if (random.nextInt(4) != 0) {
            begun.add(grant.convert(target));
            time.run(Duration.ofMillis(random.nextLong(30)));
        }
        GrantedSlots.whileTasksWait(grant, () -> {
            if (begun.isEmpty()) {
                begun.add(grant.convert(target));
            }
            time.run(Duration.ofMillis(random.nextLong(10)));
            begun.get(0).giveUp();
            told.add(GrantedSlots.mode(grant));
        });
        time.run(Duration.ofSeconds(5));
        LockMode later = GrantedSlots.mode(grant);
        boolean cancelled = begun.get(0).outcome().toCompletableFuture().isCompletedExceptionally();
        return later == told.get(0) && later == (cancelled ? before : target)
                ? List.of()
                : List.of(Violation.CONVERTED_LATE.at(
                        time.now(),
                        "from " + before + " to " + target + ", which was given up in mode " + told.get(0)
                                + "; cancelled: " + cancelled + ", mode: " + later));
    }

    private static List<String> modes(long seed, boolean converting) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = switch (random.nextInt(5)) {
            case 0 -> FaultModel.handOvers(random);
            case 1, 2 -> FaultModel.noticeRaces(random);
            default -> FaultModel.any(random);
        };
        NoticeFaults noticeFaults = switch (random.nextInt(3)) {
            case 0 -> NoticeFaults.any(random);
            case 1 -> NoticeFaults.races(random);
            default -> NoticeFaults.OFF;
        };
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, random.nextInt(2, 5), FaultModel.LEASE);
        world.modes = mixture(random);
        world.converting = converting;
        world.addWorkers(random, noticeFaults.rounds());
        world.misfortunes();
        if (random.nextBoolean()) {
            world.time.afterEachEvent(world.checker::look);
        }
        world.startWorkers();
        return world.violationsToTheEnd();
    }

    /**
     * Holders read and set the value in different modes, through everything of the fault model; in some schedules they convert their
     * handles, locks are broken or stay taken for a minimum time.
     *
     * @return what should not have happened
     */
    static List<String> values(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = switch (random.nextInt(8)) {
            case 0 -> FaultModel.handOvers(random);
            case 1 -> FaultModel.noticeRaces(random);
            case 2 -> FaultModel.lostSlots(random);
            case 3 -> FaultModel.suddenDeaths(random);
            case 4 -> FaultModel.keptLocks(random);
            case 5 -> FaultModel.manyTokens(random);
            default -> FaultModel.any(random);
        };
        NoticeFaults noticeFaults = switch (random.nextInt(4)) {
            case 0 -> NoticeFaults.any(random);
            case 1 -> NoticeFaults.races(random);
            case 2 -> NoticeFaults.longKept(random);
            default -> NoticeFaults.OFF;
        };
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, random.nextInt(2, 5), FaultModel.LEASE);
        world.valuing = 0.8;
        world.modes = random.nextBoolean() ? mixture(random) : List.of(LockMode.EXCLUSIVE);
        world.converting = random.nextBoolean();
        world.longestMinimum = !world.converting && random.nextInt(4) == 0 ? Duration.ofMillis(500) : Duration.ZERO;
        world.addWorkers(random, noticeFaults.rounds());
        world.misfortunes();
        if (world.longestMinimum.isZero() && random.nextInt(4) == 0) {
            world.breaking = true;
            for (int request = random.nextInt(1, 10); request > 0; request--) {
                world.time.at(Duration.ofMillis(random.nextLong(5_000)), world::askToBreak);
            }
        }
        world.startWorkers();
        return world.violationsToTheEnd();
    }

    /** @return what should not have happened */
    static List<String> valuesWithoutFaults(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.NONE : NoticeFaults.OFF;
        TicketWorld world = new TicketWorld(
                seed,
                FaultModel.quick(Duration.ofMillis(random.nextInt(1, 40))),
                noticeFaults,
                random.nextInt(2, 5),
                FaultModel.LEASE);
        world.valuing = 1;
        world.checker.values().nothingFails();
        world.modes = random.nextBoolean() ? mixture(random) : List.of(LockMode.EXCLUSIVE);
        world.converting = random.nextBoolean();
        world.addWorkers(random, 8);
        world.startWorkers();
        return world.violationsToTheEnd();
    }

    /**
     * Readers and writers, which convert up and down; a message may be late for longer than a conversion takes.
     *
     * @return what should not have happened
     */
    static List<String> staleModes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<LockMode> modes = random.nextBoolean()
                ? List.of(LockMode.PROTECTED_READ, LockMode.EXCLUSIVE)
                : List.of(LockMode.PROTECTED_READ, LockMode.PROTECTED_READ, LockMode.NULL, LockMode.EXCLUSIVE);
        return converting(seed, random, modes, FaultModel.staleReads(random));
    }

    /** @return what should not have happened */
    static List<String> sideways(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return converting(
                seed,
                random,
                List.of(
                        LockMode.PROTECTED_READ,
                        LockMode.CONCURRENT_WRITE,
                        LockMode.PROTECTED_WRITE,
                        LockMode.PROTECTED_READ,
                        LockMode.CONCURRENT_WRITE),
                FaultModel.staleReads(random));
    }

    private static List<String> converting(
            long seed, SplittableRandom random, List<LockMode> modes, FaultModel faults) {
        TicketWorld world = new TicketWorld(seed, faults, NoticeFaults.OFF, random.nextInt(2, 5), FaultModel.LEASE);
        world.modes = modes;
        world.converting = true;
        world.addWorkers(random, 8);
        world.startWorkers();
        return world.violationsToTheEnd();
    }

    private static List<LockMode> mixture(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> List.of(LockMode.PROTECTED_READ, LockMode.PROTECTED_READ, LockMode.EXCLUSIVE);
            case 1 -> List.of(LockMode.PROTECTED_READ, LockMode.CONCURRENT_WRITE);
            case 2 ->
                List.of(
                        LockMode.CONCURRENT_READ,
                        LockMode.PROTECTED_READ,
                        LockMode.PROTECTED_WRITE,
                        LockMode.CONCURRENT_WRITE,
                        LockMode.EXCLUSIVE);
            default -> List.of(LockMode.values());
        };
    }

    private List<String> violationsToTheEnd() {
        time.runUntil(this::allDone, faultModel.faultPeriod());
        time.run(AFTERMATH);
        clearUp();
        time.runUntil(this::allDone, PATIENCE);
        everyCallMustHaveEnded();
        noSlotMustBlockOthers();
        checker.everyLossWasTold();
        return checker.violations();
    }

    /**
     * One process waits between two others. It cannot write when it has drawn its ticket, is heard for long enough to refresh
     * its slot, then for long enough to write the ticket once more, and not again before the slot expires.
     *
     * @return what should not have happened
     */
    static List<String> writesSentAgain(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.longTimeouts(), 3);
        SimulatedProcess cutOff = world.members.get(1).process();
        world.cutOff(cutOff, 101, 115, 300, 301);
        world.cutOff(cutOff, 2_600, 3_200, 4_800, 5_200);
        world.cutOff(cutOff, 5_200, 6_000, 9_000, 11_000);
        for (Member member : world.members) {
            Worker worker = world.new Worker(member, 1);
            member.workers().add(worker);
            world.time.at(Duration.ofMillis(100L * member.number()), worker::start);
        }
        return world.violationsToTheEnd();
    }

    /**
     * Messages get lost, and replicas lose their power now and then, one at a time, and with it what was written to them
     * within the last second, as Cassandra does with {@code commitlog_sync: periodic}.
     *
     * @return what should not have happened
     */
    static List<String> lostSeconds(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.lossy(), 3);
        world.slots.remember();
        for (int loss = 1; loss <= 10; loss++) {
            int replica = world.random.nextInt(3);
            world.time.at(Duration.ofSeconds(loss), () -> world.slots.forget(replica, Duration.ofSeconds(1)));
        }
        for (Member member : world.members) {
            member.workers().add(world.new Worker(member, 10));
            member.workers().forEach(Worker::start);
        }
        return world.violationsToTheEnd();
    }

    /**
     * Two processes exchange notices. One of them holds the lock once, and its release cannot be written for a while: the other
     * one is told, takes the lock, comes back, and reads that the first one's slot is as it was. At some time notices end for
     * good.
     *
     * @return what should not have happened
     */
    static List<String> lateReleases(long seed) {
        TicketWorld world =
                new TicketWorld(seed, FaultModel.quick(Duration.ofMillis(40)), NoticeFaults.NONE, 2, FaultModel.LEASE);
        world.openSessions();
        Member first = world.members.get(0);
        Member other = world.members.get(1);
        first.workers().add(world.new Worker(first, 1));
        other.workers().add(world.new Worker(other, 3));
        first.workers().forEach(Worker::start);
        world.time.at(Duration.ofMillis(4), () -> other.workers().forEach(Worker::start));
        world.cutOff(SimulatedSlots.TABLE, first.process(), 8, 300);
        world.time.at(Duration.ofMillis(world.random.nextLong(20, 120)), world.notices::fallSilent);
        return world.violationsToTheEnd();
    }

    /**
     * Locks are broken by force again and again, through everything of the fault model. Some requests come late, when the attempt
     * that they name is over; and some name a session that waits.
     *
     * @return what should not have happened
     */
    static List<String> breaks(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = FaultModel.any(random);
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.any(random) : NoticeFaults.OFF;
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, random.nextInt(2, 5), FaultModel.LEASE);
        world.addWorkers(random, noticeFaults.rounds());
        world.misfortunes();
        world.breaking = true;
        if (random.nextBoolean()) {
            world.modes = mixture(random);
            world.converting = seed % 2 == 0;
        }
        for (int request = random.nextInt(1, 30); request > 0; request--) {
            world.time.at(Duration.ofMillis(random.nextLong(5_000)), world::askToBreak);
        }
        if (random.nextBoolean()) {
            world.time.afterEachEvent(world.checker::look);
        }
        world.startWorkers();
        return world.violationsToTheEnd();
    }

    /** Any of the slots that are wanted now; at once, or later. */
    private void askToBreak() {
        List<Slot> wanted = slots.everything(LOCK).slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .toList();
        if (!wanted.isEmpty()) {
            Slot named = any(wanted);
            time.at(
                    random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(random.nextLong(2_000)),
                    () -> members.forEach(member -> member.process().run(() -> breakHold(member, named))));
        }
    }

    private void breakHold(Member member, Slot named) {
        checker.broken(named);
        member.algorithm().breakHold(LOCK, named.session(), named.attempt(), "it was broken");
    }

    /** From one instant to another, each between two in milliseconds. */
    private void cutOff(SimulatedProcess process, long earliestFrom, long latestFrom, long earliestTo, long latestTo) {
        long from = random.nextLong(earliestFrom, latestFrom);
        long to = Math.max(from, random.nextLong(earliestTo, latestTo));
        cutOff(SimulatedSlots.TABLE, process, from, to);
    }

    /** From one instant to another, in milliseconds. */
    private void cutOff(String table, SimulatedProcess process, long from, long to) {
        network.close(process, table, -1, Duration.ofMillis(from), Duration.ofMillis(to - from));
    }

    private Member member(int number) {
        Settings settings = faultModel.mixed() ? Settings.any(random) : Settings.usual(lease);
        double drift = settings.drift();
        double rate =
                faultModel.drift() ? 1 + drift * (random.nextBoolean() ? 1 : -1) * random.nextDouble(0.8, 0.98) : 1;
        SimulatedProcess process = new SimulatedProcess(
                time, rate, Duration.ofMinutes(faultModel.drift() ? random.nextInt(-120, 120) : 0));
        if (faultModel.transport().unequal()) {
            process.moveTo(random.nextDouble());
        }
        SimulatedTimers timers = new SimulatedTimers(process);
        FailingCalls failing = new FailingCalls(random.split(), failingCalls, network::isHealed);
        SlotLog log =
                new SlotLog(failing.of(SlotStore.class, slots.seenBy(process)), time, certain(drift), checker.values());
        SessionSettings sessionSettings = new SessionSettings(settings.lease(), drift);
        SessionLog sessionLog = new SessionLog(failing.of(SessionStore.class, sessions.seenBy(process)), process);
        SplittableRandom ids = random.split();
        TicketAlgorithm algorithm = new TicketAlgorithm(
                log,
                new SessionContext(
                        sessionLog,
                        sessionSettings,
                        process,
                        timers,
                        () -> new UUID(ids.nextLong(), ids.nextLong()),
                        "process " + number),
                notices.channelOf(process, sessionLog::owns),
                new TicketSettings(
                        faultModel.slotLife(),
                        idleLife,
                        EXPIRY_MARGIN,
                        faultModel.maxDuration(),
                        settings.poll(),
                        notices.keep()),
                process);
        SimulatedLocker locker = new SimulatedLocker(
                algorithm,
                settings.lease(),
                process,
                faultModel.faultPeriod().isZero() ? Duration.ZERO : Duration.ofMillis(1),
                grant -> {
                    log.won(GrantedSlots.of(grant));
                    checker.grantedByAlgorithm(number, process, grant);
                });
        return new Member(number, process, algorithm, timers, locker, log, sessionLog, new ArrayList<>());
    }

    /** How long, at least, a process relies on a slot that it wrote, whatever its clock does. */
    private Duration certain(double drift) {
        return Duration.ofNanos((long) (faultModel.slotLife().toNanos() * (1 - 2.2 * drift)))
                .minus(EXPIRY_MARGIN);
    }

    public SimulatedTime time() {
        return time;
    }

    public List<Member> members() {
        return members;
    }

    public SimulatedSlots slots() {
        return slots;
    }

    public long operations() {
        return slots.operations() + sessions.operations();
    }

    /**
     * So many processes of one thread take the lock so many times each, one after the other without a pause.
     *
     * @param longestWork under the lock
     */
    public static Cost cost(long seed, int processes, int rounds, Duration longestWork) {
        return cost(seed, NoticeFaults.OFF, processes, rounds, longestWork);
    }

    /**
     * The same without work under the lock, with processes that exchange notices.
     *
     * @param lossRate the share of notices that never arrive
     */
    public static Cost costWithNotices(long seed, double lossRate, int processes, int rounds) {
        NoticeFaults losses = NoticeFaults.NONE.withLossRate(lossRate);
        return cost(seed, losses, processes, rounds, Duration.ZERO);
    }

    /** The same, with notices. */
    private static Cost cost(long seed, NoticeFaults noticeFaults, int processes, int rounds, Duration longestWork) {
        return new TicketWorld(seed, FaultModel.quick(longestWork), noticeFaults, processes, USUAL_LEASE).cost(rounds);
    }

    /**
     * The same where two processors do all the work of all processes and replicas, half a millisecond for each message, so
     * that each read makes all others slower. The holders do no work under the lock.
     */
    public static Cost costOnTwoProcessors(long seed, int processes, int rounds) {
        TicketWorld world =
                new TicketWorld(seed, FaultModel.quick(Duration.ZERO), NoticeFaults.OFF, processes, USUAL_LEASE);
        world.network.shareProcessors(
                new SimulatedProcessors(world.time, world.random.split(), 2, Duration.ofNanos(500_000)));
        return world.cost(rounds);
    }

    private Cost cost(int rounds) {
        openSessions();
        long operationsBefore = operations();
        long before = time.now();
        members.forEach(member -> member.workers().add(new Worker(member, rounds)));
        members.forEach(member -> member.workers().forEach(Worker::start));
        time.runUntil(this::allDone, Duration.ofHours(1));
        double locks = (double) members.size() * rounds;
        return new Cost((operations() - operationsBefore) / locks, (time.now() - before) / 1e6 / locks);
    }

    /** A process opens its session once, whatever locks it takes. */
    private void openSessions() {
        for (Member member : members) {
            CompletableFuture<Optional<Grant>> warmUp = member.algorithm()
                    .acquire(AcquireRequest.tries("warm-up of " + member.number(), "thread"))
                    .outcome()
                    .toCompletableFuture();
            time.runUntil(warmUp::isDone, PATIENCE);
            warmUp.join().orElseThrow().release();
        }
        time.run(Duration.ofSeconds(1));
    }

    /**
     * What it costs that so many threads of one process wait while another process holds the lock.
     *
     * @param slots rows of the lock while they wait
     * @param operations sent while they wait
     * @param served the numbers of the threads, in the order in which they got the lock afterwards
     */
    public record Waiting(int slots, long operations, List<Integer> served) {}

    /** Lets so many threads of one process wait for so long, and then serves them. */
    public static Waiting waiting(long seed, int threads, Duration howLong) {
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), 2);
        Attempt holder = world.acquire(world.members.get(0));
        world.time.run(Duration.ofSeconds(1));
        List<Integer> served = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            world.acquire(world.members.get(1)).outcome().thenAccept(grant -> {
                served.add(number);
                grant.orElseThrow().release();
            });
        }
        world.time.run(Duration.ofSeconds(1));
        long before = world.operations();
        world.time.run(howLong);
        long operations = world.operations() - before;
        int slots = world.slots.everything(LOCK).slots().size();
        holder.outcome().thenAccept(grant -> grant.orElseThrow().release());
        world.time.runUntil(() -> served.size() == threads, PATIENCE);
        return new Waiting(slots, operations, served);
    }

    /**
     * So many processes queue up behind a holder, one after the other, and the holder and the first of them die all at once.
     *
     * @param dead how many die, the holder included
     * @return how long it takes from then until the first of the others has the lock
     */
    public static Duration untilServedAfterDeathOf(long seed, int dead, int processes) {
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), processes);
        List<Member> served = new ArrayList<>();
        for (Member member : world.members) {
            world.acquire(member).outcome().thenAccept(grant -> served.add(member));
            world.time.run(Duration.ofMillis(100));
        }
        world.members.subList(0, dead).forEach(member -> member.process().kill());
        long diedAt = world.time.now();
        world.time.runUntil(() -> served.contains(world.members.get(dead)), PATIENCE);
        return Duration.ofNanos(world.time.now() - diedAt);
    }

    /**
     * So many processes queue up and die all at once, and one more tries again and again.
     *
     * @return how long it takes from then until it has the lock
     */
    public static Duration untilTriedWithSuccessAfterDeathOf(long seed, int dead) {
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), dead + 1);
        List<Member> dying = world.members.subList(0, dead);
        for (Member member : dying) {
            world.acquire(member);
            world.time.run(Duration.ofMillis(100));
        }
        dying.forEach(member -> member.process().kill());
        long diedAt = world.time.now();
        boolean[] served = new boolean[1];
        while (!served[0] && world.time.now() - diedAt < PATIENCE.toNanos()) {
            world.tryAcquire(world.members.get(dead)).outcome().thenAccept(grant -> served[0] |= grant.isPresent());
            world.time.run(Duration.ofMillis(500));
        }
        return Duration.ofNanos(world.time.now() - diedAt);
    }

    /**
     * A holder dies, and another process asks again and again, and gives up each time before it has waited for a tenth of a
     * lease, after which it would watch the holder.
     *
     * @return what should not have happened: it does not have the lock within two leases
     */
    static List<String> impatience(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), 2);
        world.acquire(world.members.get(0));
        world.time.run(Duration.ofMillis(random.nextLong(50, 2_000)));
        world.members.get(0).process().kill();
        long limit = world.time.now() + 2 * FaultModel.LEASE.toNanos();
        boolean[] served = new boolean[1];
        while (!served[0] && world.time.now() < limit) {
            Attempt attempt = world.acquire(world.members.get(1));
            attempt.outcome().thenAccept(grant -> served[0] = true);
            world.time.run(FaultModel.LEASE.dividedBy(random.nextLong(11, 60)));
            attempt.giveUp();
            world.time.run(Duration.ofMillis(1));
        }
        return served[0]
                ? List.of()
                : List.of(Violation.NOT_SERVED.at(world.time.now(), "calls that give up soon are never served"));
    }

    /**
     * One process takes the lock again and again, with short pauses, and keeps it in between. Another one, which it does not
     * hear, tries the lock now and then.
     *
     * @return how many of the tries were granted
     */
    public static int triesGrantedBesideAProcessThatKeeps(long seed, int tries) {
        TicketWorld world = new TicketWorld(
                seed, FaultModel.quick(Duration.ZERO), NoticeFaults.NONE.withLossRate(1), 2, USUAL_LEASE);
        world.openSessions();
        Member keeping = world.members.get(0);
        world.takeWithPauses(keeping);
        int[] granted = new int[1];
        for (int round = 0; round < tries; round++) {
            world.tryAcquire(world.members.get(1))
                    .outcome()
                    .thenAccept(grant -> grant.ifPresent(got -> {
                        granted[0]++;
                        got.release();
                    }));
            world.time.run(Duration.ofMillis(500));
        }
        keeping.process().kill();
        return granted[0];
    }

    /**
     * A holder dies, and two processes with notices wait, the second for less long. The first of them evicts it, gets the lock, and releases it at once.
     *
     * @return how long it takes from this release until the second one has the lock
     */
    public static Duration handOverAfterACrash(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), NoticeFaults.NONE, 3, USUAL_LEASE);
        List<CompletableFuture<Optional<Grant>>> grants = new ArrayList<>();
        for (Member member : world.members) {
            grants.add(world.acquire(member).outcome().toCompletableFuture());
            world.time.run(Duration.ofSeconds(3));
        }
        world.members.get(0).process().kill();
        world.time.runUntil(grants.get(1)::isDone, PATIENCE);
        long releasedAt = world.time.now();
        grants.get(1).join().orElseThrow().release();
        world.time.runUntil(grants.get(2)::isDone, PATIENCE);
        return Duration.ofNanos(world.time.now() - releasedAt);
    }

    private void takeWithPauses(Member member) {
        acquire(member).outcome().thenAccept(grant -> {
            grant.orElseThrow().release();
            member.process().after(Duration.ofMillis(random.nextLong(1, 20))).thenRun(() -> takeWithPauses(member));
        });
    }

    private void misfortunes() {
        long faultPeriod = Math.max(1, faultModel.faultPeriod().toMillis());
        for (Member member : members) {
            member.process().pauseBetweenSteps(random.split(), faultModel.stepPauses(), faultModel.longestPause());
        }
        for (int pause = 0; pause < faultModel.pauses(); pause++) {
            Duration length =
                    Duration.ofNanos(random.nextLong(faultModel.longestPause().toNanos()));
            SimulatedProcess victim = any(members).process();
            time.at(Duration.ofMillis(random.nextLong(faultPeriod)), () -> victim.pauseFor(length));
        }
        for (int kill = 0; kill < faultModel.kills(); kill++) {
            kill(any(members).process(), Duration.ofMillis(random.nextLong(faultPeriod)));
        }
        for (int outage = 0; outage < faultModel.outages(); outage++) {
            outage(Duration.ofMillis(random.nextLong(faultPeriod)), Duration.ofMillis(random.nextLong(100, 15_000)));
        }
        if (!faultModel.faultPeriod().isZero() && random.nextInt(3) == 0) {
            Member ending = any(members);
            time.at(
                    Duration.ofMillis(random.nextLong(faultPeriod)),
                    () -> ending.process()
                            .run(random.nextInt(4) == 0 ? ending.timers()::breakDown : () -> close(ending)));
        }
    }

    /** Half of the victims cannot write their slots in their last milliseconds: what they told others was never written. */
    private void kill(SimulatedProcess victim, Duration when) {
        Duration silent = Duration.ofMillis(random.nextInt(5) + 1L);
        if (random.nextBoolean() && when.compareTo(silent) > 0) {
            network.close(victim, SimulatedSlots.TABLE, -1, when.minus(silent), silent.plusSeconds(1));
        }
        time.at(when, victim::kill);
    }

    /** Ends like an application: first the locker, then the timers. */
    private void close(Member member) {
        if (member.locker().isClosed()) {
            return;
        }
        CompletableFuture<Void> end = member.locker().closeAsync().toCompletableFuture();
        checker.nothingIsHeldBy(member);
        end.thenRun(member.timers()::close);
        closing.add(end);
    }

    private void outage(Duration after, Duration length) {
        if (!faultModel.cutTable().isEmpty()) {
            network.close(any(members).process(), faultModel.cutTable(), -1, after, length);
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> network.close(null, null, random.nextInt(3), after, length);
            case 1 -> network.close(any(members).process(), null, -1, after, length);
            case 2 -> network.close(any(members).process(), SimulatedSlots.TABLE, -1, after, length);
            default -> network.close(any(members).process(), SimulatedSessions.TABLE, -1, after, length);
        }
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void clearUp() {
        network.heal();
        notices.heal();
        members.forEach(member -> member.process().pauseNoMore());
    }

    private boolean allDone() {
        for (Member member : members) {
            for (Worker worker : member.workers()) {
                if (!worker.isDone()) {
                    return false;
                }
            }
        }
        return true;
    }

    private void everyCallMustHaveEnded() {
        members.forEach(member -> member.workers().stream()
                .filter(worker -> !worker.isDone())
                .forEach(worker -> checker.violation(
                        Violation.NOT_SERVED,
                        "a thread of process " + member.number()
                                + " did not get the lock although all was well again")));
    }

    /** A slot that blocks others at the end must belong to a session that is dead or will be declared dead. */
    private void noSlotMustBlockOthers() {
        for (int second = 0; second < 15 && !isSettled(); second++) {
            time.run(Duration.ofSeconds(1));
        }
        if (!haveClosed() && members.stream().noneMatch(m -> m.process().isDead())) {
            checker.violation(Violation.NOT_CLOSED, "a locker that was closed has not ended");
        }
        if (allDone()) {
            leftBehind()
                    .forEach(slot -> checker.violation(
                            Violation.LEFT_BEHIND, "no process wants the lock, but there is " + slot));
        }
    }

    private boolean isSettled() {
        return haveClosed()
                && leftBehind().findAny().isEmpty()
                && checker.lossesNotTold().isEmpty();
    }

    private boolean haveClosed() {
        return closing.stream().allMatch(CompletableFuture::isDone);
    }

    private Stream<Slot> leftBehind() {
        return slots.everything(LOCK).slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE && isOwnedByTheLiving(slot))
                .filter(slot -> members.stream()
                        .noneMatch(member -> member.sessionLog().owns(slot.session()) && checker.staysTakenBy(member)));
    }

    private boolean isOwnedByTheLiving(Slot slot) {
        return sessions.isAlive(slot.session())
                && members.stream()
                        .anyMatch(member -> !member.process().isDead()
                                && member.sessionLog().isConfirmed()
                                && member.sessionLog().owns(slot.session()));
    }

    /** So many processes without faults, whose messages take less than a millisecond. The test does what threads would do. */
    public static TicketWorld quiet(long seed, int processes) {
        return new TicketWorld(seed, FaultModel.quick(Duration.ZERO), NoticeFaults.OFF, processes, USUAL_LEASE);
    }

    /** The same; processes exchange notices, which all arrive. */
    public static TicketWorld quietWithNotices(long seed, int processes) {
        return new TicketWorld(seed, FaultModel.quick(Duration.ZERO), NoticeFaults.NONE, processes, USUAL_LEASE);
    }

    /** From now on, for so long, the process gets no answer about slots, and none of its requests arrives. */
    public void cutOffFromSlots(Member member, Duration length) {
        network.close(member.process(), SimulatedSlots.TABLE, -1, Duration.ZERO, length);
    }

    public Attempt acquire(Member member, LockMode mode) {
        return member.algorithm().acquire(AcquireRequest.waits(LOCK, "thread").in(mode));
    }

    public Attempt tryAcquire(Member member, LockMode mode) {
        return member.algorithm().acquire(AcquireRequest.tries(LOCK, "thread").in(mode));
    }

    public Attempt acquire(Member member) {
        return member.algorithm().acquire(AcquireRequest.waits(LOCK, "thread"));
    }

    public Attempt tryAcquire(Member member) {
        return member.algorithm().acquire(AcquireRequest.tries(LOCK, "thread"));
    }

    /** A thread that takes the lock, works under it and releases it, so many times over. */
    public final class Worker {

        private final Member member;
        private int left;

        Worker(Member member, int rounds) {
            this.member = member;
            this.left = rounds;
        }

        boolean isDone() {
            return left == 0 || member.process().isDead();
        }

        void start() {
            boolean soft = random.nextDouble() < faultModel.workload().soft();
            LockRequest request = request();
            SafetyChecker.Arrival arrival = checker.arrived(member, request.mode());
            try {
                if (soft) {
                    follow(arrival, request, member.locker().tryGetLockAsync(request), Function.identity());
                } else {
                    follow(arrival, request, member.locker().getLockAsync(request), Optional::of);
                }
            } catch (IllegalStateException closed) {
                checker.left(arrival);
                left = 0;
            }
        }

        /** In worlds with minimum times, every second request has one. */
        private LockRequest request() {
            LockRequest request = LockRequest.of(LOCK).mode(modes.size() == 1 ? modes.get(0) : any(modes));
            return longestMinimum.isZero() || random.nextBoolean()
                    ? request
                    : request.holdAtLeast(Duration.ofNanos(random.nextLong(longestMinimum.toNanos())));
        }

        private <T> void follow(
                SafetyChecker.Arrival arrival,
                LockRequest request,
                CompletableFuture<T> call,
                Function<T, Optional<RemoteLock>> lock) {
            if (random.nextDouble() < faultModel.workload().impatient()) {
                time.at(
                        Duration.ofNanos(
                                random.nextLong(faultModel.workload().patience().toNanos())),
                        () -> member.process().run(() -> call.cancel(true)));
            }
            call.whenComplete((answer, failure) -> {
                Optional<RemoteLock> granted = failure == null ? lock.apply(answer) : Optional.empty();
                if (granted.isPresent()) {
                    granted(arrival, request, granted.get());
                } else {
                    checker.left(arrival);
                    left--;
                    pauseThenGoOn(Duration.ofMillis(random.nextLong(1, 300)));
                }
            });
        }

        private void granted(SafetyChecker.Arrival arrival, LockRequest request, RemoteLock lock) {
            SafetyChecker.Holding holding =
                    checker.granted(arrival, lock, member.locker().grantOf(lock), request.holdAtLeast());
            holding.grant().lost().thenRun(() -> checker.lost(holding));
            lock.onLost(reason -> checker.told(holding));
            Duration work = Duration.ofNanos(
                    random.nextLong(faultModel.workload().longestWork().toNanos() + 1));
            if (random.nextDouble() < faultModel.workload().tokens()) {
                Duration asksAfter = random.nextBoolean() ? Duration.ZERO : work.dividedBy(2);
                member.process().after(asksAfter).thenRun(() -> askForToken(holding));
            }
            if (valuing > 0 && random.nextDouble() < valuing) {
                Duration asksAfter = random.nextBoolean() ? Duration.ZERO : work.dividedBy(2);
                member.process().after(asksAfter).thenRun(() -> useValue(holding, lock));
            }
            work(holding, lock, work, converting ? random.nextInt(4) : 0);
        }

        private void work(SafetyChecker.Holding holding, RemoteLock lock, Duration work, int conversions) {
            member.process().after(work).thenRun(() -> {
                if (conversions > 0 && lock.isHeld()) {
                    convert(holding, lock, work, conversions - 1);
                } else {
                    release(holding, lock);
                }
            });
        }

        private void release(SafetyChecker.Holding holding, RemoteLock lock) {
            checker.releasing(holding);
            if (!isForgotten(lock)) {
                if (lock.isHeld()) {
                    checker.values().ended(holding);
                }
                lock.closeAsync();
            }
            left--;
            pauseThenGoOn(Duration.ofMillis(
                    random.nextDouble() < faultModel.workload().idle() ? random.nextLong(1, 300) : 0));
        }

        /** Now and then the lock is released while it is converted, or the caller of the conversion gives up. */
        private void convert(SafetyChecker.Holding holding, RemoteLock lock, Duration work, int left) {
            LockMode mode = any(modes.size() == 1 ? List.of(LockMode.values()) : modes);
            Duration patience = Duration.ofMillis(random.nextLong(1, random.nextInt(4) == 0 ? 3_000 : 100));
            boolean down = lock.mode().covers(mode);
            CompletableFuture<?> conversion;
            if (down && !mode.covers(LockMode.PROTECTED_WRITE) && lock.isHeld()) {
                checker.values().ended(holding);
            }
            try {
                conversion = random.nextInt(4) == 0 ? lock.tryConvertAsync(mode) : lock.convertAsync(mode, patience);
            } catch (RuntimeException closed) {
                release(holding, lock);
                return;
            }
            if (down) {
                checker.converted(holding);
            }
            boolean released = random.nextInt(10) == 0;
            if (released) {
                member.process().after(Duration.ofMillis(random.nextLong(50))).thenRun(() -> release(holding, lock));
            } else if (random.nextInt(8) == 0) {
                member.process().after(Duration.ofMillis(random.nextLong(50))).thenRun(() -> conversion.cancel(false));
            }
            conversion.whenComplete((done, failure) -> {
                checker.conversionEnded(failure);
                if (!released) {
                    checker.converted(holding);
                    if (random.nextDouble() < faultModel.workload().tokens()) {
                        askForToken(holding);
                    }
                    if (valuing > 0 && random.nextDouble() < valuing) {
                        useValue(holding, lock);
                    }
                    work(holding, lock, work, left);
                }
            });
        }

        /** A holder whose lock was broken may be one that never comes back. */
        private boolean isForgotten(RemoteLock lock) {
            return breaking && !lock.isHeld() && random.nextBoolean();
        }

        private void askForToken(SafetyChecker.Holding holding) {
            holding.grant().fencingToken().whenComplete((token, failure) -> {
                if (failure == null) {
                    checker.shown(holding, token);
                    if (random.nextDouble() < faultModel.workload().faints()
                            && time.now() < faultModel.faultPeriod().toNanos()) {
                        member.process().pauseFor(faultModel.longestPause());
                    }
                }
            });
        }

        /** Reads the value, and then sets another one if the mode allows that, or leaves it as it is. */
        private void useValue(SafetyChecker.Holding holding, RemoteLock lock) {
            Grant grant = holding.grant();
            LockMode mode = GrantedSlots.mode(grant);
            if (mode == LockMode.NULL || !lock.isHeld()) {
                return;
            }
            ValueChecker.Question question = checker.values().asks(holding);
            grant.value().whenComplete((value, failure) -> {
                if (failure == null && lock.isHeld() && mode == GrantedSlots.mode(grant)) {
                    checker.values().seen(question, holding.process(), mode, value);
                    if (mode.covers(LockMode.PROTECTED_WRITE) && random.nextInt(4) != 0) {
                        setValue(holding);
                    }
                }
            });
        }

        private void setValue(SafetyChecker.Holding holding) {
            long number = checker.values().nextNumber();
            holding.grant().value(SimulatedValue.bytes(number)).whenComplete((set, failure) -> {
                if (failure == null) {
                    checker.values().set(holding, number);
                }
            });
        }

        private void pauseThenGoOn(Duration pause) {
            if (left > 0) {
                member.process().after(pause).thenRun(this::start);
            }
        }
    }
}
