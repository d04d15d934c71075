package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockValue;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Compares the values of one lock that holders see with those that holders have set. */
final class ValueChecker {

    /** A holder that was told that its change is open. */
    private static final class Opening {

        private final Object holding;
        private final int process;
        private long number;

        /** Whether the holder knows what the value is: it was not doubtful, or the holder has set it. */
        private boolean known;

        /** Whether the holder has begun to release or convert the lock while it held it. */
        private boolean ended;

        private Opening(Object holding, int process, LockValue seen) {
            this.holding = holding;
            this.process = process;
            this.number = SimulatedValue.number(seen.getBytes());
            this.known = !seen.isDoubtful();
        }
    }

    /**
     * @param certain whether each change that anybody may have opened had been closed, so that there was no reason to doubt
     * @param highestSent the last change that anybody may have opened then
     * @param ends how often the holder had ended changes
     */
    record Question(Object holding, boolean certain, long highestSent, int ends) {}

    private final IdentityHashMap<Object, Integer> ends = new IdentityHashMap<>();
    private final BiConsumer<Violation, String> violations;
    private final List<Opening> openings = new ArrayList<>();
    private long highestSent;
    private long highestClosed;
    private long numbers;

    /** Whether nothing fails, so that no value is doubtful. */
    private boolean nothingFails;

    ValueChecker(BiConsumer<Violation, String> violations) {
        this.violations = violations;
    }

    /** From now on no value may be doubtful. */
    void nothingFails() {
        nothingFails = true;
    }

    /** A number that no holder has set yet. */
    long nextNumber() {
        return ++numbers;
    }

    /** A process has sent the write that opens a change. */
    void sentOpen(long token) {
        highestSent = Math.max(highestSent, token);
    }

    /** A quorum has the value of a change. */
    void acknowledgedClose(long token) {
        highestClosed = Math.max(highestClosed, token);
    }

    /** A holder asks for the value. */
    Question asks(Object holding) {
        return new Question(holding, nothingFails || highestSent <= highestClosed, highestSent, ends(holding));
    }

    private int ends(Object holding) {
        return ends.getOrDefault(holding, 0);
    }

    /** A holder that only reads may have opened a change itself since, after a conversion, while it waited for the answer. */
    private boolean isCertain(Question question, LockMode mode) {
        return question.certain() && (mode.covers(LockMode.PROTECTED_WRITE) || question.highestSent() == highestSent);
    }

    /** The holder sees the value. */
    void seen(Question question, int process, LockMode mode, LockValue value) {
        if (mode == LockMode.CONCURRENT_READ) {
            return;
        }
        Opening last = openings.isEmpty() ? null : openings.get(openings.size() - 1);
        if (last != null && last.holding == question.holding() && !last.ended) {
            ownIsSeen(last, value);
        } else {
            if (last == null || !isAskedBeforeOwnChange(question, last)) {
                othersIsSeen(last, process, value, isCertain(question, mode));
            }
            if (mode.covers(LockMode.PROTECTED_WRITE)) {
                Opening opening = new Opening(question.holding(), process, value);
                opening.ended = ends(opening.holding) > question.ends();
                openings.add(opening);
            }
        }
    }

    /** The holder has changed the value itself, and ended the change, while it waited for the answer, which may come from before. */
    private boolean isAskedBeforeOwnChange(Question question, Opening last) {
        return last.holding == question.holding() && ends(question.holding()) > question.ends();
    }

    private void ownIsSeen(Opening own, LockValue value) {
        if (SimulatedValue.number(value.getBytes()) != own.number || value.isDoubtful() == own.known) {
            violations.accept(
                    Violation.VALUE_LOST,
                    "process " + own.process + " does not see the value " + own.number
                            + " that it has seen or set itself, but " + told(value));
        }
    }

    private void othersIsSeen(@Nullable Opening last, int process, LockValue value, boolean certain) {
        long expected = last == null ? 0 : last.number;
        if (value.isDoubtful()) {
            if (certain) {
                violations.accept(
                        Violation.VALUE_DOUBTFUL_IN_VAIN,
                        "process " + process + " sees " + told(value) + ", although the change to " + expected
                                + " was the last one, and closed");
            }
        } else if (last != null && !(last.ended && last.known)) {
            violations.accept(
                    Violation.VALUE_NOT_DOUBTFUL,
                    "process " + process + " sees " + told(value) + ", although process " + last.process
                            + (last.ended ? " did not know it" : " has not ended its change"));
        } else if (SimulatedValue.number(value.getBytes()) != expected) {
            violations.accept(
                    Violation.VALUE_LOST,
                    "process " + process + " sees " + told(value) + ", although the last holder left " + expected);
        }
    }

    private static String told(LockValue value) {
        return SimulatedValue.number(value.getBytes()) + (value.isDoubtful() ? " (doubtful)" : "");
    }

    /** The holder was told that it has set the value. */
    void set(Object holding, long number) {
        for (int index = openings.size() - 1; index >= 0; index--) {
            Opening opening = openings.get(index);
            if (opening.holding == holding) {
                opening.number = number;
                opening.known = true;
                return;
            }
        }
    }

    /** The holder, which has the lock, begins to release it, or to convert it so that others may have it. */
    void ended(Object holding) {
        ends.merge(holding, 1, Integer::sum);
        openings.stream().filter(opening -> opening.holding == holding).forEach(opening -> opening.ended = true);
    }
}
