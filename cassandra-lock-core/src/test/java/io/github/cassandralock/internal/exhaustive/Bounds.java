package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.ticket.process.TicketSettings;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How often each thing may happen in a schedule.
 *
 * @param uses what each of the processes does with the lock
 * @param begun how many of the processes, the first ones, hold the lock or wait for it at the beginning
 * @param left how many timers, notices, and faults of each kind, may still follow; none of a kind that is missing
 * @param victim the number of the process that may crash, be cut off or pause
 * @param lease of one process; zero if clocks stand still, so that no lease ends
 * @param shortLease the number of that process; the others have a longer lease
 * @param slotLife for how long the slots of the first process live; zero if no slot expires
 * @param keep for how long a process keeps a lock that it has released; zero if none does
 * @param steps of the longest schedule
 */
record Bounds(
        List<Use> uses,
        int begun,
        Map<Step.Kind, Integer> left,
        int victim,
        Duration lease,
        int shortLease,
        Duration slotLife,
        Duration keep,
        int steps) {

    private static final int STEPS = 60;

    Bounds {
        uses = List.copyOf(uses);
    }

    /** Processes take the lock in mode EXCLUSIVE. Nothing fails, and clocks stand still. A timer may end at any instant. */
    static Bounds of(int processes, int rounds, int timers) {
        return of(timers, Collections.nCopies(processes, Use.WRITES.times(rounds)));
    }

    /** Nothing fails, and clocks stand still. A timer may end at any instant. */
    static Bounds of(int timers, Use... uses) {
        return of(timers, List.of(uses));
    }

    private static Bounds of(int timers, List<Use> uses) {
        return new Bounds(uses, 0, Map.of(), 0, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO, STEPS)
                .upTo(timers, Step.Kind.TIMER);
    }

    /** At the beginning, so many of the processes hold the lock or wait for it: none of their operations is under way. */
    Bounds begun(int number) {
        return new Bounds(uses, number, left, victim, lease, shortLease, slotLife, keep, steps);
    }

    /** Clocks run: a timer ends at its instant, and no answer to a process that runs is on its way then. */
    Bounds lease(int millis) {
        return new Bounds(uses, begun, left, victim, Duration.ofMillis(millis), shortLease, slotLife, keep, steps);
    }

    /** A process keeps a lock that it has released, as it does if it exchanges notices. */
    Bounds keeps() {
        return new Bounds(uses, begun, left, victim, lease, shortLease, slotLife, TicketSettings.KEEP, steps);
    }

    /** At most so many timers, notices, or faults, of this kind may follow. */
    Bounds upTo(int number, Step.Kind kind) {
        Map<Step.Kind, Integer> changed = new EnumMap<>(Step.Kind.class);
        changed.putAll(left);
        changed.put(kind, number);
        return new Bounds(uses, begun, changed, victim, lease, shortLease, slotLife, keep, steps);
    }

    Bounds victim(int process) {
        return new Bounds(uses, begun, left, process, lease, shortLease, slotLife, keep, steps);
    }

    Bounds shortLease(int process) {
        return new Bounds(uses, begun, left, victim, lease, process, slotLife, keep, steps);
    }

    /** Slots of the first process live for so long, and one may expire. All others live longer than the schedule. */
    Bounds slotLife(int millis) {
        return new Bounds(uses, begun, left, victim, lease, shortLease, Duration.ofMillis(millis), keep, steps)
                .upTo(1, Step.Kind.EXPIRE);
    }

    Bounds steps(int longest) {
        return new Bounds(uses, begun, left, victim, lease, shortLease, slotLife, keep, longest);
    }

    /** Whether a timer, a notice or a fault of this kind may follow. */
    boolean leave(Step.Kind kind) {
        return left.getOrDefault(kind, 0) > 0;
    }

    /** These bounds after a step of this kind. */
    Bounds after(Step.Kind kind) {
        return leave(kind) ? upTo(left.getOrDefault(kind, 0) - 1, kind) : this;
    }

    /** Equal if as much may still happen. */
    StateKey key() {
        StateKey key = StateKey.EMPTY;
        for (int number : left.values()) {
            key = key.with(number);
        }
        return key;
    }

    /** Whether notices may arrive. */
    boolean exchangeNotices() {
        return left.containsKey(Step.Kind.DELIVER);
    }

    /** Whether every operation has its answer, and a process that has released the lock does nothing more with it. */
    boolean endWithoutSlots() {
        return !exchangeNotices() && !hasTime() && !left.containsKey(Step.Kind.TIME_OUT);
    }

    /** Whether a process that waits has a timer or a request. With notices, it may wait for one. With time, it also renews. */
    boolean waitWithTimers() {
        return !exchangeNotices() && !hasTime();
    }

    boolean hasTime() {
        return !lease.isZero();
    }
}
