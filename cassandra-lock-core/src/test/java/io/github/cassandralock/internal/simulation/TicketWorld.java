package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Processes that run the algorithm {@code ticket} on simulated replicas. The seed decides everything, and each choice has one place:
 *
 * <ul>
 *   <li>{@link TicketSchedules} and {@link TicketSituations}: the kind of a schedule, its fault model, the number of processes and
 *       callers, what callers do, when lockers close and locks are broken; from a {@code random} of their own
 *   <li>{@link TicketMember}: the settings, clocks and identifiers of each process
 *   <li>{@link TicketFaults}: the instants and victims of faults
 *   <li>{@link TicketCaller}: modes, patience, pauses, conversions, tokens and values of each call
 *   <li>{@link SimulatedNetwork}, {@link SimulatedSlots}, {@link SimulatedSessions}, {@link SimulatedNotices}: the ways of messages
 * </ul>
 *
 * <p>All but the first draw from the world's {@link #random()} or from parts that were split from it, in the order of events.
 */
public final class TicketWorld {

    public static final String LOCK = "lock";

    static final Duration SERVERS_APART = Duration.ofSeconds(1);
    static final Duration PATIENCE = Duration.ofMinutes(30);

    /** How long faults continue at most when the last thread is done. */
    private static final Duration AFTERMATH = Duration.ofSeconds(3);

    /** The default of an application. */
    private static final Duration USUAL_LEASE = Duration.ofSeconds(15);

    private final FaultModel faultModel;
    private final Duration lease;
    private final Duration idleLife;
    private final SplittableRandom random;
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedNetwork network;
    private final SimulatedSlots slots;
    private final SimulatedSessions sessions;
    private final SafetyChecker checker;
    private final SimulatedNotices notices;
    private final double failingCalls;
    private final List<TicketMember> members = new ArrayList<>();
    private final TicketFaults faults;
    private CallerHabits habits = CallerHabits.PLAIN;

    TicketWorld(long seed, FaultModel faultModel, int processes) {
        this(seed, faultModel, NoticeFaults.OFF, processes);
    }

    TicketWorld(long seed, FaultModel faultModel, NoticeFaults noticeFaults, int processes) {
        this(seed, faultModel, noticeFaults, processes, FaultModel.LEASE);
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
        faults = new TicketFaults(this);
        for (int number = 0; number < processes; number++) {
            members.add(TicketMember.of(this, number));
        }
    }

    /** Processes without faults and notices. The test does what threads would do. */
    public static TicketWorld quiet(long seed, int processes) {
        return quick(seed, NoticeFaults.OFF, processes, Duration.ZERO);
    }

    /** Processes without faults. They exchange notices, which all arrive. The test does what threads would do. */
    public static TicketWorld quietWithNotices(long seed, int processes) {
        return quick(seed, NoticeFaults.NONE, processes, Duration.ZERO);
    }

    /** Processes with the default settings, without faults; a message takes less than a millisecond. */
    static TicketWorld quick(long seed, NoticeFaults noticeFaults, int processes, Duration longestWork) {
        return new TicketWorld(seed, FaultModel.quick(longestWork), noticeFaults, processes, USUAL_LEASE);
    }

    /** Opens the session of each process, which lives on whatever locks the process takes. */
    void openSessions() {
        for (TicketMember member : members) {
            CompletableFuture<Optional<Grant>> warmUp = member.algorithm()
                    .acquire(AcquireRequest.tries("warm-up of " + member.number(), "thread"))
                    .getOutcome()
                    .toCompletableFuture();
            time.runUntil(warmUp::isDone, PATIENCE);
            warmUp.join().orElseThrow().release();
        }
        time.run(Duration.ofSeconds(1));
    }

    /** One to three callers for each process, which take the lock fewer than the given number of times. */
    void addCallers(SplittableRandom choice, int rounds) {
        for (TicketMember member : members) {
            for (int caller = choice.nextInt(1, 4); caller > 0; caller--) {
                member.addCaller(this, choice.nextInt(1, rounds));
            }
        }
    }

    void startCallers() {
        members.forEach(TicketMember::startCallers);
    }

    /** Runs to the end of all calls: first with faults, then without. */
    List<String> violationsToTheEnd() {
        time.runUntil(this::isDone, faultModel.faultPeriod());
        time.run(AFTERMATH);
        clearUp();
        if (habits.hasPermits()) {
            askOn();
            new PermitWatch(time, checker, lease).begin();
        }
        time.runUntil(this::isDone, PATIENCE);
        return new FinalChecks(this).violations();
    }

    /** In some schedules threads ask for so long without faults that a permit which is lost for ever shows. */
    private void askOn() {
        if (random.nextInt(16) == 0) {
            long until = time.now() + lease.multipliedBy(10).toNanos();
            members.forEach(member -> member.callers().forEach(caller -> caller.goOnUntil(until)));
        }
    }

    private void clearUp() {
        network.heal();
        notices.heal();
        members.forEach(member -> member.process().pauseNoMore());
    }

    /** Whether no caller does anything any more. */
    boolean isDone() {
        for (TicketMember member : members) {
            for (TicketCaller caller : member.callers()) {
                if (!caller.isDone()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Checks at each event from now on that handles of different processes agree. */
    void lookAfterEachEvent() {
        time.afterEachEvent(checker::look);
    }

    /** From now on, for so long, the process gets no answer about slots, and none of its requests arrives. */
    public void cutOffFromSlots(TicketMember member, Duration length) {
        faults.cutOff(SimulatedSlots.TABLE, member.process(), Duration.ZERO, length);
    }

    public Attempt acquirePermit(TicketMember member, int permits) {
        return member.algorithm().acquire(AcquireRequest.waits(LOCK, "thread").permits(permits));
    }

    public Attempt tryAcquirePermit(TicketMember member, int permits) {
        return member.algorithm().acquire(AcquireRequest.tries(LOCK, "thread").permits(permits));
    }

    public Attempt acquire(TicketMember member, LockMode mode) {
        return member.algorithm().acquire(AcquireRequest.waits(LOCK, "thread").in(mode));
    }

    public Attempt tryAcquire(TicketMember member, LockMode mode) {
        return member.algorithm().acquire(AcquireRequest.tries(LOCK, "thread").in(mode));
    }

    public Attempt acquire(TicketMember member) {
        return acquire(member, LockMode.EXCLUSIVE);
    }

    public Attempt tryAcquire(TicketMember member) {
        return tryAcquire(member, LockMode.EXCLUSIVE);
    }

    public SimulatedTime time() {
        return time;
    }

    public List<TicketMember> members() {
        return members;
    }

    public SimulatedSlots slots() {
        return slots;
    }

    public long operations() {
        return slots.operations() + sessions.operations();
    }

    SplittableRandom random() {
        return random;
    }

    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    FaultModel faultModel() {
        return faultModel;
    }

    Duration lease() {
        return lease;
    }

    /** Some idle slots vanish before others have read them; the others live longer than any waiter is patient. */
    Duration idleLife() {
        return idleLife;
    }

    /** The share of calls of stores that fail. */
    double failingCalls() {
        return failingCalls;
    }

    SimulatedNetwork network() {
        return network;
    }

    SimulatedSessions sessions() {
        return sessions;
    }

    SimulatedNotices notices() {
        return notices;
    }

    SafetyChecker checker() {
        return checker;
    }

    TicketFaults faults() {
        return faults;
    }

    CallerHabits habits() {
        return habits;
    }

    void habits(CallerHabits changed) {
        habits = changed;
    }
}
