package io.github.cassandralock.internal.exactlyonce;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of this application's copies, for its health.
 *
 * @param status the worst of what was found
 * @param details of the store and of each copy
 */
public record CopyReport(Status status, Map<String, Object> details) {

    /** What operators have to do, in ascending order of urgency. */
    public enum Status {
        /** Nothing. */
        UP,

        /** Look: a copy waits for something, or a store has forgotten something. */
        WARNING,

        /** Repair: the store cannot be used, or a copy has ended. */
        DOWN;

        private Status or(Status other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }

    /**
     * Looks at all copies. Does no I/O.
     *
     * @param storeProblem why the store cannot be used; empty if it can
     */
    public static CopyReport of(List<Runner> runners, Optional<String> storeProblem) {
        Map<String, Object> details = new LinkedHashMap<>();
        Status status = storeProblem.isPresent() ? Status.DOWN : Status.UP;
        storeProblem.ifPresent(why -> details.put("store", why));
        for (Runner runner : runners) {
            CopyReport copy = of(runner);
            status = status.or(copy.status());
            details.put(runner.toString(), copy.details());
        }
        return new CopyReport(status, details);
    }

    /** Looks at one copy. Does no I/O. */
    public static CopyReport of(Runner runner) {
        Map<String, Object> details = new LinkedHashMap<>(runner.details());
        CopyFigures figures = runner.figures();
        details.put("running", runner.isRunning());
        details.put("messages", figures.sum(Counted.MESSAGE));
        Optional<Throwable> failure = runner.failure();
        failure.ifPresent(cause -> details.put("ended", cause.toString()));
        Map<String, Object> warnings = figures.warnings(runner.overdue());
        details.putAll(warnings);
        if (figures.sum(Counted.PARKED) > 0) {
            details.put("parked", figures.sum(Counted.PARKED));
        }
        Status unlessEnded = warnings.isEmpty() ? Status.UP : Status.WARNING;
        return new CopyReport(failure.isPresent() ? Status.DOWN : unlessEnded, details);
    }
}
