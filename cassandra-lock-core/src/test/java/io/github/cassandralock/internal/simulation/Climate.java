package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * How hostile a schedule is.
 *
 * @param storm for how long misfortunes happen; everything is well after it
 * @param way how messages travel
 * @param stepPauses the share of steps before which a process pauses
 * @param pauses how many more pauses there are
 * @param longestPause of either kind
 * @param kills how many processes die
 * @param outages how many times a replica is down, or a process is cut off, or only one table of it
 * @param cutTable the table that every outage concerns; empty: any, or all
 * @param slotLife time to live of a slot
 * @param maxHold for how long threads of one process may hand over to each other
 * @param drift whether clocks run at different rates
 * @param mixed whether processes have different settings
 * @param habits what threads do
 */
public record Climate(
        Duration storm,
        Way way,
        double stepPauses,
        int pauses,
        Duration longestPause,
        int kills,
        int outages,
        String cutTable,
        Duration slotLife,
        Duration maxHold,
        boolean drift,
        boolean mixed,
        Habits habits) {

    /** The same, among processes with different settings. */
    private Climate withMixedSettings() {
        return new Climate(
                storm,
                way,
                stepPauses,
                pauses,
                longestPause,
                kills,
                outages,
                cutTable,
                slotLife,
                maxHold,
                true,
                true,
                habits);
    }

    public static final Duration LEASE = Duration.ofSeconds(3);

    /**
     * How messages travel.
     *
     * @param longest time of a message on its way; the shortest is a tenth of a millisecond
     * @param unequal whether some processes are nearer than others
     * @param lossRate the share that never arrives
     * @param lateRate the share that arrives late
     * @param latest what late means
     * @param timeout how long a client waits for an answer
     */
    public record Way(
            Duration longest, boolean unequal, double lossRate, double lateRate, Duration latest, Duration timeout) {

        /** Nothing gets lost or is late. */
        static Way safe(Duration longest, boolean unequal) {
            return new Way(longest, unequal, 0, 0, Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /**
     * What threads do.
     *
     * @param soft the share of tryGetLock
     * @param impatient the share of waiters that give up
     * @param patience for how long those wait, at most
     * @param tokens the share of holders that ask for a fencing token
     * @param faints the share of those whose process pauses as soon as it has one
     * @param longestWork under the lock
     * @param idle the share of threads that pause before they ask again
     */
    public record Habits(
            double soft,
            double impatient,
            Duration patience,
            double tokens,
            double faints,
            Duration longestWork,
            double idle) {

        /** Everybody waits, comes again at once and wants no token. */
        static Habits modest(Duration longestWork) {
            return new Habits(0, 0, Duration.ZERO, 0, 0, longestWork, 0);
        }
    }

    /** Of everything something, decided by the seed. */
    public static Climate any(SplittableRandom random) {
        return switch (random.nextInt(15)) {
            case 0 -> calm();
            case 1, 2 -> manyTokens(random);
            case 3, 4 -> lostSlots(random);
            case 5, 6 -> lostRenewals(random);
            case 7 -> suddenDeaths(random);
            case 8 -> handOvers(random);
            case 9, 10 -> mixedSettings(random);
            default -> storms(random);
        };
    }

    /** Nothing goes wrong; messages take up to three milliseconds. */
    static Climate calm() {
        return peaceful(
                Way.safe(Duration.ofMillis(3), true),
                new Habits(0.1, 0.1, Duration.ofMillis(50), 0.5, 0, Duration.ofMillis(40), 0.3));
    }

    /** Nothing goes wrong, but messages of some processes take up to fifteen milliseconds. */
    static Climate slow() {
        return peaceful(Way.safe(Duration.ofMillis(15), true), Habits.modest(Duration.ZERO));
    }

    /** Nothing goes wrong, everybody waits and comes again at once, and messages take less than a millisecond. */
    static Climate quick(Duration longestWork) {
        return peaceful(Way.safe(Duration.ofMillis(1), false), Habits.modest(longestWork));
    }

    /** Nothing goes wrong by itself; a client waits for long for an answer, and slots live for seconds. */
    static Climate longTimeouts() {
        Way way = new Way(Duration.ofMillis(3), false, 0, 0, Duration.ZERO, Duration.ofSeconds(5));
        return new Climate(
                Duration.ofSeconds(20),
                way,
                0,
                0,
                Duration.ZERO,
                0,
                0,
                "",
                Duration.ofSeconds(7),
                Duration.ZERO,
                true,
                false,
                Habits.modest(Duration.ofSeconds(10)));
    }

    /** Every third message gets lost, so that two replicas of three know most writes. */
    static Climate lossy() {
        Way way = new Way(Duration.ofMillis(3), false, 0.3, 0, Duration.ZERO, Duration.ofMillis(100));
        return new Climate(
                Duration.ofSeconds(15),
                way,
                0,
                0,
                Duration.ZERO,
                0,
                0,
                "",
                Duration.ofMinutes(30),
                Duration.ZERO,
                false,
                false,
                Habits.modest(Duration.ofMillis(500)));
    }

    private static Climate peaceful(Way way, Habits habits) {
        return new Climate(
                Duration.ZERO,
                way,
                0,
                0,
                Duration.ZERO,
                0,
                0,
                "",
                Duration.ofMinutes(30),
                Duration.ofMillis(20),
                false,
                false,
                habits);
    }

    /** Messages overtake each other by a whole tenure, and every holder asks for a token. */
    static Climate manyTokens(SplittableRandom random) {
        Way way = new Way(
                Duration.ofMillis(2),
                false,
                random.nextDouble(0.1),
                random.nextDouble(0.1, 0.4),
                Duration.ofMillis(random.nextInt(10, 100)),
                Duration.ofMillis(200));
        Habits habits = new Habits(
                0,
                random.nextBoolean() ? 0 : random.nextDouble(0.5),
                Duration.ofMillis(random.nextInt(5, 60)),
                1,
                0,
                Duration.ofMillis(random.nextInt(1, 10)),
                0.2);
        return new Climate(
                Duration.ofSeconds(3),
                way,
                0,
                0,
                Duration.ZERO,
                0,
                0,
                "",
                Duration.ofMinutes(30),
                Duration.ZERO,
                random.nextBoolean(),
                false,
                habits);
    }

    /** Processes cannot write their slots for longer than these live, and hold or wait for long. */
    static Climate lostSlots(SplittableRandom random) {
        Way way = new Way(
                Duration.ofMillis(3),
                false,
                random.nextDouble(0.05),
                random.nextDouble(0.1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
        return new Climate(
                Duration.ofSeconds(40),
                way,
                0,
                random.nextInt(2),
                Duration.ofSeconds(7),
                0,
                random.nextInt(2, 6),
                SimulatedSlots.TABLE,
                Duration.ofSeconds(random.nextInt(6, 10)),
                Duration.ofMillis(20),
                true,
                false,
                new Habits(0, 0, Duration.ZERO, 0.2, 0, Duration.ofSeconds(random.nextInt(1, 15)), 0.3));
    }

    /** A storm over processes with different leases, drifts and pauses, which hold for long. */
    static Climate mixedSettings(SplittableRandom random) {
        return (random.nextBoolean() ? storms(random) : lostRenewals(random)).withMixedSettings();
    }

    /** Renewals get lost, or their answers, or arrive late, while locks are held for long. */
    static Climate lostRenewals(SplittableRandom random) {
        Way way = new Way(
                Duration.ofMillis(3),
                false,
                random.nextDouble(0.2),
                random.nextDouble(0.05, 0.4),
                Duration.ofMillis(random.nextInt(300, 3_000)),
                Duration.ofMillis(random.nextInt(300, 1_500)));
        return new Climate(
                Duration.ofSeconds(20),
                way,
                random.nextDouble(0.01),
                random.nextInt(3),
                Duration.ofSeconds(5),
                0,
                random.nextInt(1, 6),
                SimulatedSessions.TABLE,
                Duration.ofMinutes(1),
                Duration.ofMillis(20),
                true,
                false,
                new Habits(0, 0, Duration.ZERO, 0.2, 0, Duration.ofSeconds(random.nextInt(1, 8)), 0.1));
    }

    /** Holders ask for tokens and fall silent, and what they wrote reached hardly anybody. */
    static Climate suddenDeaths(SplittableRandom random) {
        Way way = new Way(
                Duration.ofMillis(3),
                false,
                random.nextDouble(0.2, 0.5),
                0.1,
                Duration.ofMillis(500),
                Duration.ofMillis(100));
        return new Climate(
                Duration.ofSeconds(15),
                way,
                random.nextDouble(0.02, 0.15),
                0,
                Duration.ofSeconds(8),
                random.nextInt(3),
                0,
                "",
                Duration.ofMinutes(30),
                Duration.ofMillis(20),
                random.nextBoolean(),
                false,
                new Habits(0, 0, Duration.ZERO, 1, 0.3, Duration.ofMillis(random.nextInt(1, 100)), 0.3));
    }

    /** Threads of one process hand over while their session comes to its end, and the process pauses now and then. */
    static Climate handOvers(SplittableRandom random) {
        return new Climate(
                Duration.ofSeconds(20),
                Way.safe(Duration.ofMillis(3), false),
                0,
                120,
                Duration.ofMillis(random.nextInt(50, 500)),
                0,
                6,
                SimulatedSessions.TABLE,
                Duration.ofMinutes(1),
                Duration.ofMillis(random.nextInt(20, 700)),
                true,
                false,
                new Habits(0, 0, Duration.ZERO, 0.2, 0, Duration.ofMillis(random.nextInt(20, 500)), 0.1));
    }

    /** A bit of everything. */
    static Climate storms(SplittableRandom random) {
        Way way = new Way(
                Duration.ofMillis(3),
                random.nextBoolean(),
                random.nextInt(3) == 0 ? 0 : random.nextDouble(0.15),
                random.nextInt(3) == 0 ? 0 : random.nextDouble(0.1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
        Habits habits = new Habits(
                random.nextDouble(0.3),
                random.nextDouble(0.3),
                Duration.ofSeconds(2),
                random.nextDouble(),
                random.nextInt(3) == 0 ? 0.1 : 0,
                random.nextInt(4) == 0 ? Duration.ofSeconds(5) : Duration.ofMillis(random.nextInt(1, 400)),
                0.3);
        return new Climate(
                Duration.ofSeconds(random.nextInt(5, 20)),
                way,
                random.nextInt(2) == 0 ? 0 : random.nextDouble(0.02),
                random.nextInt(5),
                Duration.ofSeconds(7),
                random.nextInt(3) == 0 ? 1 : 0,
                random.nextInt(4),
                "",
                Duration.ofSeconds(random.nextBoolean() ? 8 : 60),
                Duration.ofMillis(random.nextInt(3) * 20L),
                random.nextInt(4) != 0,
                false,
                habits);
    }
}
