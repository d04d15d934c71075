package io.github.cassandralock.internal.exhaustive;

import java.time.Duration;

/**
 * How often each thing may happen in a schedule.
 *
 * @param processes that request the lock
 * @param rounds how often each of them requests it
 * @param timers that may end
 * @param timeOuts requests that may have no answer in time
 * @param crashes of processes
 * @param cutOffs of processes from the table of sessions
 * @param pauses of processes
 * @param victim the number of the process that may crash, be cut off or pause
 * @param lease of one process; zero if clocks stand still, so that no lease ends
 * @param shortLease the number of that process; the others have a longer lease
 * @param steps of the longest schedule
 */
record Bounds(
        int processes,
        int rounds,
        int timers,
        int timeOuts,
        int crashes,
        int cutOffs,
        int pauses,
        int victim,
        Duration lease,
        int shortLease,
        int steps) {

    private static final int MANY = 60;

    /** Nothing fails, and clocks stand still. A timer may end at any instant. */
    static Bounds of(int processes, int rounds, int timers) {
        return new Bounds(processes, rounds, timers, 0, 0, 0, 0, 0, Duration.ZERO, 0, MANY);
    }

    /** Clocks run: a timer ends at its instant, and no answer to a process that runs is on its way then. */
    Bounds lease(int millis) {
        Duration of = Duration.ofMillis(millis);
        return new Bounds(processes, rounds, timers, timeOuts, crashes, cutOffs, pauses, victim, of, shortLease, steps);
    }

    Bounds timers(int number) {
        return new Bounds(
                processes, rounds, number, timeOuts, crashes, cutOffs, pauses, victim, lease, shortLease, steps);
    }

    Bounds timeOuts(int number) {
        return new Bounds(
                processes, rounds, timers, number, crashes, cutOffs, pauses, victim, lease, shortLease, steps);
    }

    Bounds crashes(int number) {
        return new Bounds(
                processes, rounds, timers, timeOuts, number, cutOffs, pauses, victim, lease, shortLease, steps);
    }

    Bounds cutOffs(int number) {
        return new Bounds(
                processes, rounds, timers, timeOuts, crashes, number, pauses, victim, lease, shortLease, steps);
    }

    Bounds pauses(int number) {
        return new Bounds(
                processes, rounds, timers, timeOuts, crashes, cutOffs, number, victim, lease, shortLease, steps);
    }

    Bounds victim(int process) {
        return new Bounds(
                processes, rounds, timers, timeOuts, crashes, cutOffs, pauses, process, lease, shortLease, steps);
    }

    Bounds shortLease(int process) {
        return new Bounds(processes, rounds, timers, timeOuts, crashes, cutOffs, pauses, victim, lease, process, steps);
    }

    /** Equal if as much may still happen. */
    StateKey key() {
        return StateKey.EMPTY
                .with(timers)
                .with(timeOuts)
                .with(crashes)
                .with(cutOffs)
                .with(pauses);
    }

    boolean hasTime() {
        return !lease.isZero();
    }
}
