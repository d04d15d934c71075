package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Which faults a schedule has, and how often.
 *
 * @param faultPeriod how long faults happen; afterwards there are none
 * @param transport how messages travel
 * @param stepPauses the share of steps before which a process pauses
 * @param pauses how many more pauses there are
 * @param longestPause the longest pause of either kind
 * @param kills how many processes die
 * @param outages how many times a replica is down, or a process is cut off, or only one table of it
 * @param cutTable the table that every outage concerns; empty: any, or all
 * @param slotLife time to live of a slot
 * @param maxDuration how long threads of one process may hand the lock to each other
 * @param drift whether clocks run at different rates
 * @param mixed whether processes have different settings
 * @param workload what threads do
 */
public record FaultModel(
        Duration faultPeriod,
        Transport transport,
        double stepPauses,
        int pauses,
        Duration longestPause,
        int kills,
        int outages,
        String cutTable,
        Duration slotLife,
        Duration maxDuration,
        boolean drift,
        boolean mixed,
        Workload workload) {

    /** The same, among processes with different settings. */
    private FaultModel withMixedSettings() {
        return new FaultModel(
                faultPeriod,
                transport,
                stepPauses,
                pauses,
                longestPause,
                kills,
                outages,
                cutTable,
                slotLife,
                maxDuration,
                true,
                true,
                workload);
    }

    public static final Duration LEASE = Duration.ofSeconds(3);

    /**
     * How messages travel.
     *
     * @param longest time that a message takes; the shortest is a tenth of a millisecond
     * @param unequal whether messages of some processes take longer than those of others
     * @param lossRate the share of messages that never arrives
     * @param lateRate the share of messages that arrives late
     * @param latest the longest time that a late message takes
     * @param timeout how long a client waits for an answer
     */
    public record Transport(
            Duration longest, boolean unequal, double lossRate, double lateRate, Duration latest, Duration timeout) {

        /** No message gets lost or is late. */
        static Transport safe(Duration longest, boolean unequal) {
            return new Transport(longest, unequal, 0, 0, Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /**
     * What threads do.
     *
     * @param soft the share of tryGetLock
     * @param impatient the share of waiters that give up
     * @param patience how long these wait, at most
     * @param tokens the share of holders that ask for a fencing token
     * @param faints the share of these whose process pauses as soon as it has the token
     * @param longestWork the longest time for which a thread works under the lock
     * @param idle the share of threads that pause before they ask again
     */
    public record Workload(
            double soft,
            double impatient,
            Duration patience,
            double tokens,
            double faints,
            Duration longestWork,
            double idle) {

        /** All threads wait for the lock, ask again at once, and want no token. */
        static Workload modest(Duration longestWork) {
            return new Workload(0, 0, Duration.ZERO, 0, 0, longestWork, 0);
        }
    }

    /** The seed decides on a mixture of everything. */
    public static FaultModel any(SplittableRandom random) {
        return switch (random.nextInt(15)) {
            case 0 -> calm();
            case 1, 2 -> manyTokens(random);
            case 3, 4 -> lostSlots(random);
            case 5, 6 -> lostRenewals(random);
            case 7 -> suddenDeaths(random);
            case 8 -> handOvers(random);
            case 9, 10 -> mixedSettings(random);
            default -> crashesAndPartitions(random);
        };
    }

    /** No faults; messages take up to three milliseconds. */
    static FaultModel calm() {
        return peaceful(
                Transport.safe(Duration.ofMillis(3), true),
                new Workload(0.1, 0.1, Duration.ofMillis(50), 0.5, 0, Duration.ofMillis(40), 0.3));
    }

    /** No faults, but many messages are late for longer than a conversion takes, so that reads show what is over. */
    static FaultModel staleReads(SplittableRandom random) {
        Transport transport = new Transport(
                Duration.ofMillis(3),
                random.nextBoolean(),
                0,
                random.nextDouble(0.1, 0.5),
                Duration.ofMillis(random.nextInt(10, 200)),
                Duration.ofSeconds(2));
        return peaceful(
                transport,
                new Workload(0.1, 0.1, Duration.ofMillis(50), 0.3, 0, Duration.ofMillis(random.nextInt(1, 40)), 0.3));
    }

    /** No faults, but messages of some processes take up to fifteen milliseconds. */
    static FaultModel slow() {
        return peaceful(Transport.safe(Duration.ofMillis(15), true), Workload.modest(Duration.ZERO));
    }

    /** No faults; all threads wait and ask again at once, and messages take less than a millisecond. */
    static FaultModel quick(Duration longestWork) {
        return peaceful(Transport.safe(Duration.ofMillis(1), false), Workload.modest(longestWork));
    }

    /** No faults by themselves; a client waits long for an answer, and slots live for seconds. */
    static FaultModel longTimeouts() {
        Transport transport = new Transport(Duration.ofMillis(3), false, 0, 0, Duration.ZERO, Duration.ofSeconds(5));
        return new FaultModel(
                Duration.ofSeconds(20),
                transport,
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
                Workload.modest(Duration.ofSeconds(10)));
    }

    /** No faults by themselves; messages take up to 40 milliseconds, and locks are held for seconds. */
    static FaultModel slowAnswers() {
        Transport transport = new Transport(Duration.ofMillis(40), false, 0, 0, Duration.ZERO, Duration.ofMillis(400));
        return new FaultModel(
                Duration.ofSeconds(20),
                transport,
                0,
                0,
                Duration.ZERO,
                0,
                0,
                "",
                Duration.ofMinutes(1),
                Duration.ZERO,
                true,
                false,
                Workload.modest(Duration.ofSeconds(12)));
    }

    /** Every third message gets lost, so that two replicas of three know most writes. */
    static FaultModel lossy() {
        Transport transport = new Transport(Duration.ofMillis(3), false, 0.3, 0, Duration.ZERO, Duration.ofMillis(100));
        return new FaultModel(
                Duration.ofSeconds(15),
                transport,
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
                Workload.modest(Duration.ofMillis(500)));
    }

    private static FaultModel peaceful(Transport transport, Workload workload) {
        return new FaultModel(
                Duration.ZERO,
                transport,
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
                workload);
    }

    /** A message may arrive later than one that was sent a whole hold after it, and every holder asks for a token. */
    static FaultModel manyTokens(SplittableRandom random) {
        Transport transport = new Transport(
                Duration.ofMillis(2),
                false,
                random.nextDouble(0.1),
                random.nextDouble(0.1, 0.4),
                Duration.ofMillis(random.nextInt(10, 100)),
                Duration.ofMillis(200));
        Workload workload = new Workload(
                0,
                random.nextBoolean() ? 0 : random.nextDouble(0.5),
                Duration.ofMillis(random.nextInt(5, 60)),
                1,
                0,
                Duration.ofMillis(random.nextInt(1, 10)),
                0.2);
        return new FaultModel(
                Duration.ofSeconds(3),
                transport,
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
                workload);
    }

    /** Requests and steps overtake each other by a whole hold, locks are held for short times, waiters come and go. */
    static FaultModel noticeRaces(SplittableRandom random) {
        Transport transport = new Transport(
                Duration.ofMillis(2),
                random.nextBoolean(),
                random.nextDouble(0.1),
                random.nextDouble(0.4),
                Duration.ofMillis(random.nextInt(10, 100)),
                Duration.ofMillis(200));
        Workload workload = new Workload(
                random.nextDouble(0.2),
                random.nextBoolean() ? 0 : random.nextDouble(0.5),
                Duration.ofMillis(random.nextInt(5, 60)),
                0.2,
                0,
                Duration.ofMillis(random.nextInt(1, 10)),
                random.nextDouble(0.6));
        return new FaultModel(
                Duration.ofSeconds(3),
                transport,
                random.nextDouble(0.05),
                0,
                Duration.ofMillis(random.nextInt(5, 100)),
                0,
                0,
                "",
                Duration.ofMinutes(30),
                Duration.ofMillis(random.nextInt(30)),
                random.nextBoolean(),
                false,
                workload);
    }

    /** A thread takes a lock again soon after its release, while its process is paused and its session ends. */
    static FaultModel keptLocks(SplittableRandom random) {
        return new FaultModel(
                Duration.ofSeconds(12),
                Transport.safe(Duration.ofMillis(3), false),
                random.nextDouble(0.03),
                40,
                Duration.ofMillis(random.nextInt(500, 4_000)),
                0,
                6,
                SimulatedSessions.TABLE,
                Duration.ofMinutes(1),
                Duration.ofMillis(random.nextInt(20)),
                true,
                false,
                new Workload(0, 0, Duration.ZERO, 0.2, 0, Duration.ofMillis(random.nextInt(1, 20)), 0.8));
    }

    /** Processes cannot write their slots for longer than these live, and hold or wait for long. */
    static FaultModel lostSlots(SplittableRandom random) {
        Transport transport = new Transport(
                Duration.ofMillis(3),
                false,
                random.nextDouble(0.05),
                random.nextDouble(0.1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
        return new FaultModel(
                Duration.ofSeconds(40),
                transport,
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
                new Workload(0, 0, Duration.ZERO, 0.2, 0, Duration.ofSeconds(random.nextInt(1, 15)), 0.3));
    }

    /** All kinds of faults among processes with different leases, drifts and pauses, which hold for long. */
    static FaultModel mixedSettings(SplittableRandom random) {
        return (random.nextBoolean() ? crashesAndPartitions(random) : lostRenewals(random)).withMixedSettings();
    }

    /** Renewals get lost, or their answers, or arrive late, while locks are held for long. */
    static FaultModel lostRenewals(SplittableRandom random) {
        Transport transport = new Transport(
                Duration.ofMillis(3),
                false,
                random.nextDouble(0.2),
                random.nextDouble(0.05, 0.4),
                Duration.ofMillis(random.nextInt(300, 3_000)),
                Duration.ofMillis(random.nextInt(300, 1_500)));
        return new FaultModel(
                Duration.ofSeconds(20),
                transport,
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
                new Workload(0, 0, Duration.ZERO, 0.2, 0, Duration.ofSeconds(random.nextInt(1, 8)), 0.1));
    }

    /** Holders ask for tokens and then pause, and their writes have reached few replicas. */
    static FaultModel suddenDeaths(SplittableRandom random) {
        Transport transport = new Transport(
                Duration.ofMillis(3),
                false,
                random.nextDouble(0.2, 0.5),
                0.1,
                Duration.ofMillis(500),
                Duration.ofMillis(100));
        return new FaultModel(
                Duration.ofSeconds(15),
                transport,
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
                new Workload(0, 0, Duration.ZERO, 1, 0.3, Duration.ofMillis(random.nextInt(1, 100)), 0.3));
    }

    /** Threads of one process hand the lock over while their session ends, and the process pauses now and then. */
    static FaultModel handOvers(SplittableRandom random) {
        return new FaultModel(
                Duration.ofSeconds(20),
                Transport.safe(Duration.ofMillis(3), false),
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
                new Workload(0, 0, Duration.ZERO, 0.2, 0, Duration.ofMillis(random.nextInt(20, 500)), 0.1));
    }

    /** A mixture of all faults. */
    static FaultModel crashesAndPartitions(SplittableRandom random) {
        Transport transport = new Transport(
                Duration.ofMillis(3),
                random.nextBoolean(),
                random.nextInt(3) == 0 ? 0 : random.nextDouble(0.15),
                random.nextInt(3) == 0 ? 0 : random.nextDouble(0.1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
        Workload workload = new Workload(
                random.nextDouble(0.3),
                random.nextDouble(0.3),
                Duration.ofSeconds(2),
                random.nextDouble(),
                random.nextInt(3) == 0 ? 0.1 : 0,
                random.nextInt(4) == 0 ? Duration.ofSeconds(5) : Duration.ofMillis(random.nextInt(1, 400)),
                0.3);
        return new FaultModel(
                Duration.ofSeconds(random.nextInt(5, 20)),
                transport,
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
                workload);
    }
}
