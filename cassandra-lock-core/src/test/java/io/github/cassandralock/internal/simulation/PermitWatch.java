package io.github.cassandralock.internal.simulation;

import java.time.Duration;

/**
 * When there are no faults any more, nobody waits for long while a permit is free. It counts the looks that show such a waiter, until
 * one shows all permits in use. Looks at which nobody waits for long count for neither.
 */
final class PermitWatch {

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final SimulatedTime time;
    private final SafetyChecker checker;
    private final Duration longest;
    private Duration unused = Duration.ZERO;

    /** @param lease of the processes; a holder that died before is noticed after a few of them */
    PermitWatch(SimulatedTime time, SafetyChecker checker, Duration lease) {
        this.time = time;
        this.checker = checker;
        this.longest = lease.multipliedBy(6);
    }

    void begin() {
        lookLater();
    }

    private void lookLater() {
        time.at(INTERVAL, this::look);
    }

    private void look() {
        switch (checker.permits()) {
            case ALL_IN_USE -> unused = Duration.ZERO;
            case ONE_UNUSED -> unused = unused.plus(INTERVAL);
            case NOBODY_WAITS -> {}
        }
        if (unused.compareTo(longest) > 0) {
            checker.violation(Violation.PERMIT_UNUSED, "somebody waits, and a permit has been free for " + longest);
            return;
        }
        lookLater();
    }
}
