package io.github.cassandralock.internal.simulation;

import java.util.function.BiConsumer;

/** Compares the last completed period that holders of one lock see with those that holders have completed. Periods are numbers. */
final class PeriodChecker {

    private final BiConsumer<Violation, String> violations;

    /** The last period of which a holder has received that it is completed. */
    private long completed;

    PeriodChecker(BiConsumer<Violation, String> violations) {
        this.violations = violations;
    }

    /** A holder that has the lock sees the last completed period. */
    void seen(int process, long last) {
        if (last < completed) {
            violations.accept(
                    Violation.COMPLETED_TWICE,
                    "process " + process + " sees the period " + last + ", although " + completed + " is completed");
        }
    }

    /** A holder has received that its period is completed. */
    void completed(int process, long period) {
        if (period <= completed) {
            violations.accept(
                    Violation.COMPLETED_TWICE,
                    "process " + process + " completes the period " + period + ", although " + completed
                            + " is completed");
        }
        completed = Math.max(completed, period);
    }
}
