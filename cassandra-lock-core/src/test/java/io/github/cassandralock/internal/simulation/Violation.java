package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.seeded.ViolationKind;
import java.time.Duration;
import java.util.List;

/** An event that must never happen. */
public enum Violation implements ViolationKind {

    /** Two handles of one lock were reported as held at the same instant. */
    TWO_HOLDERS,

    /** A caller was given a lock that was not held. */
    GIVEN_UNHELD,

    /** A handle that had been not held was reported as held later. */
    HELD_AGAIN,

    /** A process whose ticket was drawn later was served first. */
    OVERTAKEN,

    /** Of two threads of one process, the one that came later was served first. */
    OVERTAKEN_INSIDE,

    /** Fencing tokens do not grow with the order of the grants. */
    TOKEN_ORDER,

    /** A fencing token was shown to a process that did not hold its lock any more. */
    TOKEN_OF_LOST_LOCK,

    /** A lock was reported lost although its lease was confirmed. */
    LOST_IN_VAIN,

    /** A lock was lost, and its holder did not receive the loss. */
    NEVER_TOLD,

    /** A call for a lock did not end, or failed, although there were no faults any more. */
    NOT_SERVED,

    /** Somebody waits for long although fewer hold the lock than it has permits. */
    PERMIT_UNUSED,

    /** A holder does not see the value that the last holder left that might change it. */
    VALUE_LOST,

    /** A holder takes the value for certain, although the last one that might change it has not ended properly. */
    VALUE_NOT_DOUBTFUL,

    /** A holder sees that the value is doubtful, although every change was closed. */
    VALUE_DOUBTFUL_IN_VAIN,

    /** Two holders received that they have completed one period, or the last completed period went back. */
    COMPLETED_TWICE,

    /** A lock was granted although an earlier request said that it stays taken, and the lease of that one was confirmed. */
    TAKEN_TOO_EARLY,

    /** A handle was converted by a call that had been given up before, or its caller was told so. */
    CONVERTED_LATE,

    /** A slot that blocks others belongs to a process that does not want the lock. */
    LEFT_BEHIND,

    /** A locker that was closed did not end. */
    NOT_CLOSED,

    /** A call was ended because of a deadlock that there was at no instant. */
    NO_DEADLOCK,

    /** Two calls of one cycle were ended. */
    TWO_VICTIMS;

    /** As the schedules tell it. */
    public String at(long nanos, String what) {
        return name() + " at " + Duration.ofNanos(nanos) + ": " + what;
    }

    @Override
    public List<String> among(List<String> violations) {
        return violations.stream()
                .filter(told -> told.startsWith(name() + " at "))
                .toList();
    }
}
