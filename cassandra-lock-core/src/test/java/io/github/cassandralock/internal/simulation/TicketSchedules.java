package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Schedules in which the seed decides which faults there are, and what callers do. Each method returns what should not have
 * happened.
 */
final class TicketSchedules {

    private TicketSchedules() {}

    /** Two to four processes of one to three threads take one lock a few times each, amid all faults of the fault model. */
    static List<String> run(long seed, FaultModel faultModel) {
        return run(seed, faultModel, NoticeFaults.OFF);
    }

    /** A schedule of {@link #run(long, FaultModel)} among processes that exchange notices. */
    static List<String> run(long seed, FaultModel faultModel, NoticeFaults noticeFaults) {
        SplittableRandom random = new SplittableRandom(~seed);
        TicketWorld world = new TicketWorld(seed, faultModel, noticeFaults, random.nextInt(2, 5));
        world.addCallers(random, noticeFaults.rounds());
        world.faults().plan();
        return runToTheEndAndMaybeLook(world, random);
    }

    private static List<String> runToTheEndAndMaybeLook(TicketWorld world, SplittableRandom random) {
        if (random.nextBoolean()) {
            world.lookAfterEachEvent();
        }
        return runToTheEnd(world);
    }

    private static List<String> runToTheEnd(TicketWorld world) {
        world.startCallers();
        return world.violationsToTheEnd();
    }

    /**
     * Lockers close one after the other while threads take short locks, in a quarter of the schedules those with permits, and steps
     * pause. In half of the schedules processes exchange notices.
     */
    static List<String> closings(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel races = FaultModel.noticeRaces(random);
        TicketWorld world = new TicketWorld(seed, races, racesOrOff(random), 4);
        switch (random.nextInt(4)) {
            case 0 -> world.habits(CallerHabits.PLAIN.in(CallerHabits.mixture(random)));
            case 1 -> world.habits(CallerHabits.PLAIN.permits(CallerHabits.mixtureOfPermits(random)));
            default -> {}
        }
        world.addCallers(random, 12);
        world.faults().plan();
        for (TicketMember member : world.members()) {
            world.faults().closeAt(Duration.ofMillis(random.nextLong(1_000)), member);
        }
        return runToTheEnd(world);
    }

    private static NoticeFaults racesOrOff(SplittableRandom random) {
        return random.nextBoolean() ? NoticeFaults.races(random) : NoticeFaults.OFF;
    }

    /**
     * Every second request has a minimum time, often longer than the lease, and lockers close while locks stay taken. Processes
     * are paused and killed, and messages get lost; in half of the schedules processes exchange notices.
     */
    static List<String> minimumTimes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = random.nextBoolean() ? FaultModel.noticeRaces(random) : FaultModel.any(random);
        TicketWorld world = new TicketWorld(seed, faults, racesOrOff(random), 4);
        CallerHabits habits = CallerHabits.PLAIN.holdingAtLeast(Duration.ofMillis(random.nextBoolean() ? 200 : 20_000));
        world.habits(random.nextBoolean() ? habits.in(CallerHabits.mixture(random)) : habits);
        world.addCallers(random, 5);
        world.faults().plan();
        for (TicketMember member : world.members().subList(0, 2)) {
            world.faults().closeAt(Duration.ofMillis(random.nextLong(5_000)), member);
        }
        return runToTheEnd(world);
    }

    /**
     * Threads request the lock with permits, amid all faults. In some schedules they differ in their number, as while a new version
     * is rolled out, or share the lock with readers, who may convert their handles. Locks are broken, or stay taken for a minimum
     * time.
     */
    static List<String> permits(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = switch (random.nextInt(8)) {
            case 0 -> FaultModel.handOvers(random);
            case 1, 2 -> FaultModel.noticeRaces(random);
            case 3 -> FaultModel.staleReads(random);
            case 4 -> FaultModel.keptLocks(random);
            default -> FaultModel.any(random);
        };
        NoticeFaults noticeFaults = anyOrNone(random);
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, random.nextInt(2, 6));
        CallerHabits habits = CallerHabits.PLAIN.permits(CallerHabits.mixtureOfPermits(random));
        boolean shared = random.nextInt(6) == 0;
        if (shared) {
            habits = habits.in(CallerHabits.mixture(random)).converting(random.nextBoolean());
        }
        boolean takenForLong = !shared && random.nextInt(6) == 0;
        world.habits(takenForLong ? habits.holdingAtLeast(Duration.ofMillis(500)) : habits);
        world.addCallers(random, noticeFaults.rounds());
        world.faults().plan();
        if (!takenForLong && random.nextInt(6) == 0) {
            world.faults().forceReleaseLocks(random, random.nextInt(1, 10));
        }
        return runToTheEndAndMaybeLook(world, random);
    }

    /** One process has a version without permits, which reads each slot as that of a request without them. */
    static List<String> permitsOfANewVersion(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NoticeFaults noticeFaults = anyOrNone(random);
        TicketWorld world = new TicketWorld(seed, FaultModel.any(random), noticeFaults, random.nextInt(2, 6));
        world.habits(CallerHabits.PLAIN.permits(List.of(random.nextInt(2, 5))));
        world.slots().showWithoutPermits(world.members().get(0).process());
        world.addCallers(random, noticeFaults.rounds());
        world.faults().plan();
        return runToTheEnd(world);
    }

    /** Threads request the lock in different modes, amid all faults. */
    static List<String> modes(long seed) {
        return modes(seed, false);
    }

    /**
     * Holders convert their handles up and down, a few times each, amid all faults. Conversions up have a time-out, because two of
     * them may wait for each other.
     */
    static List<String> conversions(long seed) {
        return modes(seed, true);
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
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, random.nextInt(2, 5));
        world.habits(CallerHabits.PLAIN.in(CallerHabits.mixture(random)).converting(converting));
        world.addCallers(random, noticeFaults.rounds());
        world.faults().plan();
        return runToTheEndAndMaybeLook(world, random);
    }

    /**
     * Holders read and set the value in different modes, amid all faults. In some schedules they convert their handles, or locks
     * are broken, or stay taken for a minimum time.
     */
    static List<String> values(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = anyOfValues(random);
        NoticeFaults noticeFaults = anyOrNone(random);
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, random.nextInt(2, 5));
        CallerHabits habits = valuing(0.8, random);
        if (!habits.converting() && random.nextInt(4) == 0) {
            habits = habits.holdingAtLeast(Duration.ofMillis(500));
        }
        world.habits(habits);
        world.addCallers(random, noticeFaults.rounds());
        world.faults().plan();
        if (habits.longestMinimum().isZero() && random.nextInt(4) == 0) {
            world.faults().forceReleaseLocks(random, random.nextInt(1, 10));
        }
        return runToTheEnd(world);
    }

    private static FaultModel anyOfValues(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> FaultModel.handOvers(random);
            case 1 -> FaultModel.noticeRaces(random);
            case 2 -> FaultModel.lostSlots(random);
            case 3 -> FaultModel.suddenDeaths(random);
            case 4 -> FaultModel.keptLocks(random);
            case 5 -> FaultModel.manyTokens(random);
            default -> FaultModel.any(random);
        };
    }

    private static NoticeFaults anyOrNone(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> NoticeFaults.any(random);
            case 1 -> NoticeFaults.races(random);
            case 2 -> NoticeFaults.longKept(random);
            default -> NoticeFaults.OFF;
        };
    }

    /** Each holder completes a period, amid all faults. In some schedules locks are broken, or stay taken for a minimum time. */
    static List<String> periods(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = anyOfValues(random);
        NoticeFaults noticeFaults = anyOrNone(random);
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, random.nextInt(2, 5));
        CallerHabits habits = CallerHabits.PLAIN.completingPeriods();
        world.habits(random.nextInt(4) == 0 ? habits.holdingAtLeast(Duration.ofMillis(500)) : habits);
        world.addCallers(random, noticeFaults.rounds());
        world.faults().plan();
        if (random.nextInt(4) == 0) {
            world.faults().forceReleaseLocks(random, random.nextInt(1, 10));
        }
        return runToTheEnd(world);
    }

    private static CallerHabits valuing(double share, SplittableRandom random) {
        List<LockMode> modes = random.nextBoolean() ? CallerHabits.mixture(random) : CallerHabits.PLAIN.modes();
        return CallerHabits.PLAIN.valuing(share).in(modes).converting(random.nextBoolean());
    }

    /** All holders read and set the value, and nothing fails. */
    static List<String> valuesWithoutFaults(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.NONE : NoticeFaults.OFF;
        FaultModel quick = FaultModel.quick(Duration.ofMillis(random.nextInt(1, 40)));
        TicketWorld world = new TicketWorld(seed, quick, noticeFaults, random.nextInt(2, 5));
        world.checker().values().nothingFails();
        world.habits(valuing(1, random));
        world.addCallers(random, 8);
        return runToTheEnd(world);
    }

    /** Readers and writers convert up and down; a message may be late for longer than a conversion takes. */
    static List<String> staleModes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<LockMode> modes = random.nextBoolean()
                ? List.of(LockMode.PROTECTED_READ, LockMode.EXCLUSIVE)
                : List.of(LockMode.PROTECTED_READ, LockMode.PROTECTED_READ, LockMode.NULL, LockMode.EXCLUSIVE);
        return converting(seed, random, modes);
    }

    /** Holders convert between modes that do not cover each other; a message may be late for longer than a conversion takes. */
    static List<String> sideways(long seed) {
        List<LockMode> modes = List.of(
                LockMode.PROTECTED_READ,
                LockMode.CONCURRENT_WRITE,
                LockMode.PROTECTED_WRITE,
                LockMode.PROTECTED_READ,
                LockMode.CONCURRENT_WRITE);
        return converting(seed, new SplittableRandom(seed), modes);
    }

    private static List<String> converting(long seed, SplittableRandom random, List<LockMode> modes) {
        FaultModel faults = FaultModel.staleReads(random);
        TicketWorld world = new TicketWorld(seed, faults, NoticeFaults.OFF, random.nextInt(2, 5));
        world.habits(CallerHabits.PLAIN.in(modes).converting(true));
        world.addCallers(random, 8);
        return runToTheEnd(world);
    }

    /**
     * Locks are force-released again and again, amid all faults. Some requests come late, when the attempt that they name is over;
     * and some name a session that waits.
     */
    static List<String> forceReleases(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultModel faults = FaultModel.any(random);
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.any(random) : NoticeFaults.OFF;
        TicketWorld world = new TicketWorld(seed, faults, noticeFaults, random.nextInt(2, 5));
        world.addCallers(random, noticeFaults.rounds());
        world.faults().plan();
        if (random.nextBoolean()) {
            world.habits(CallerHabits.PLAIN.in(CallerHabits.mixture(random)).converting(seed % 2 == 0));
        }
        world.faults().forceReleaseLocks(random, random.nextInt(1, 30));
        return runToTheEndAndMaybeLook(world, random);
    }
}
