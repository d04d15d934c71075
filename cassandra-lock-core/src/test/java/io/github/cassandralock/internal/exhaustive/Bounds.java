package io.github.cassandralock.internal.exhaustive;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * How often each thing may happen in a schedule.
 *
 * @param processes that request the lock
 * @param rounds how often each of them requests it
 * @param left how many timers, and faults of each kind, may still follow; none of a kind that is missing
 * @param victim the number of the process that may crash, be cut off or pause
 * @param lease of one process; zero if clocks stand still, so that no lease ends
 * @param shortLease the number of that process; the others have a longer lease
 */
record Bounds(int processes, int rounds, Map<Step.Kind, Integer> left, int victim, Duration lease, int shortLease) {

    /** The steps of the longest schedule. */
    static final int LONGEST = 60;

    /** Nothing fails, and clocks stand still. A timer may end at any instant. */
    static Bounds of(int processes, int rounds, int timers) {
        return new Bounds(processes, rounds, Map.of(), 0, Duration.ZERO, 0).upTo(timers, Step.Kind.TIMER);
    }

    /** Clocks run: a timer ends at its instant, and no answer to a process that runs is on its way then. */
    Bounds lease(int millis) {
        return new Bounds(processes, rounds, left, victim, Duration.ofMillis(millis), shortLease);
    }

    /** At most so many timers, or faults of this kind, may follow. */
    Bounds upTo(int number, Step.Kind kind) {
        Map<Step.Kind, Integer> changed = new EnumMap<>(Step.Kind.class);
        changed.putAll(left);
        changed.put(kind, number);
        return new Bounds(processes, rounds, changed, victim, lease, shortLease);
    }

    Bounds victim(int process) {
        return new Bounds(processes, rounds, left, process, lease, shortLease);
    }

    Bounds shortLease(int process) {
        return new Bounds(processes, rounds, left, victim, lease, process);
    }

    /** Whether a fault or a timer of this kind may follow. */
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

    boolean hasTime() {
        return !lease.isZero();
    }
}
