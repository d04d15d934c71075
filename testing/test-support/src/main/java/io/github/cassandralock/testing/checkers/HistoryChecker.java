package io.github.cassandralock.testing.checkers;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.testing.workload.Event;
import io.github.cassandralock.testing.workload.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Finds safety violations in what workers recorded. A lock is promised from its grant until it says that it is lost, so what
 * counts is from when to when it said that it is held. A process that is paused beyond its lease and then learns of the loss is
 * no violation: what it wrote in between is what fencing tokens are for.
 */
public final class HistoryChecker {

    private static final int MOST_DETAILS = 20;

    private final List<Window> faults;
    private final List<RecordedAttempt> attempts;
    private final List<String> violations = new ArrayList<>();

    private HistoryChecker(List<History> histories, List<Window> faults) {
        this.faults = faults;
        this.attempts = histories.stream()
                .flatMap(history -> RecordedAttempt.of(history).stream())
                .toList();
    }

    /**
     * Everything that is wrong, in words; empty if nothing is.
     *
     * @param faults when locks may be lost
     * @param counters each lock's counter in the end
     */
    public static List<String> violations(
            List<History> histories, List<Window> faults, ToLongFunction<String> counters) {
        HistoryChecker checker = new HistoryChecker(histories, faults);
        Map<String, List<Hold>> holdsOfLocks = checker.attempts.stream()
                .flatMap(attempt -> attempt.hold().stream())
                .collect(Collectors.groupingBy(Hold::lockId));
        holdsOfLocks.values().forEach(holds -> checker.checkOverlaps(inOrder(holds)));
        checker.accountForAttempts();
        checker.attempts.forEach(checker::checkAttempt);
        holdsOfLocks.forEach((lockId, holds) -> checker.checkLock(holds, counters.applyAsLong(lockId)));
        checker.attempts.forEach(
                attempt -> checker.checkConversion(attempt, holdsOfLocks.getOrDefault(attempt.lockId(), List.of())));
        return checker.violations.size() <= MOST_DETAILS
                ? checker.violations
                : checker.violations.subList(0, MOST_DETAILS);
    }

    /** Of each thread all attempts but, if its process was killed, the last have come to an end. */
    private void accountForAttempts() {
        Map<String, RecordedAttempt> last = attempts.stream()
                .collect(Collectors.toMap(RecordedAttempt::thread, attempt -> attempt, (one, next) -> next));
        for (RecordedAttempt attempt : attempts) {
            violations.addAll(attempt.contradictions());
            boolean cutShort = attempt.mayBeCutShort() && last.get(attempt.thread()) == attempt;
            if (attempt.outcome().isEmpty() && !cutShort) {
                violations.add(attempt + " was asked for and never heard of again");
            }
        }
    }

    private void checkAttempt(RecordedAttempt attempt) {
        if (attempt.tokenRefusedWhileHeld()) {
            violations.add(attempt + " was held, and its token refused");
        }
        Optional<Outcome> outcome = attempt.outcome();
        boolean spoiled = outcome.equals(Optional.of(Outcome.LOST)) || outcome.equals(Optional.of(Outcome.FAILED));
        if (spoiled && faults.stream().noneMatch(fault -> fault.meets(attempt.askedAt(), attempt.endedAt()))) {
            violations.add(attempt + " ended " + outcome.get() + " while nothing was wrong: " + attempt.detail());
        }
    }

    private void checkLock(List<Hold> holds, long counter) {
        List<Hold> inOrder = inOrder(holds);
        checkTokens(inOrder);
        checkCounts(inOrder, counter);
    }

    private static List<Hold> inOrder(List<Hold> holds) {
        return holds.stream().sorted(Comparator.comparingLong(Hold::enteredAt)).toList();
    }

    private void checkOverlaps(List<Hold> inOrder) {
        Overlaps.among(inOrder, Hold::enteredAt, Hold::heldUntil, Hold::conflictsWith)
                .forEach(overlap ->
                        violations.add("Two held it at once: " + overlap.holder() + " and " + overlap.intruder()));
    }

    /** Of two holds that exclude each other, the later one has the higher token. */
    private void checkTokens(List<Hold> inOrder) {
        Map<LockMode, Hold> highest = new EnumMap<>(LockMode.class);
        for (Hold hold : inOrder) {
            if (hold.token() != Event.NO_TOKEN) {
                highest.values().stream()
                        .filter(earlier -> earlier.conflictsWith(hold) && hold.token() <= earlier.token())
                        .forEach(earlier -> violations.add("The token did not grow: " + earlier + " and " + hold));
                highest.merge(hold.mode(), hold, (one, other) -> one.token() < other.token() ? other : one);
            }
        }
    }

    /**
     * Each count begins where the one before ended, and who keeps writers out finds the counter as it was, unless one that was cut
     * short, or lost its lock, may have written in between.
     */
    private void checkCounts(List<Hold> inOrder, long counter) {
        List<Hold> uncertain = new ArrayList<>();
        long expected = 0;
        for (Hold hold : inOrder) {
            if (hold.hasToFindTheCount() && !isExplained(hold.read(), expected, uncertain)) {
                violations.add("Found " + hold.read() + " in place of " + expected + ": " + hold);
                expected = hold.read();
            }
            if (hold.counted()) {
                uncertain.removeIf(other -> other.countedBy() < hold.enteredAt());
                expected = hold.read() + 1;
            } else if (hold.writes()) {
                uncertain.add(hold);
            } else if (hold.hasToFindTheCount()) {
                checkReadAgain(hold, uncertain);
            }
        }
        if (!isExplained(counter, expected, uncertain)) {
            violations.add("The counter is " + counter + " in the end in place of " + expected);
        }
    }

    private void checkReadAgain(Hold hold, List<Hold> uncertain) {
        hold.readAgain().stream()
                .filter(value -> !isExplained(value, hold.read(), uncertain))
                .forEach(value -> violations.add("Read " + hold.read() + " and then " + value + ": " + hold));
    }

    /** A lock that is converted is never free: only a write of one who had lost the lock comes in between. */
    private void checkConversion(RecordedAttempt attempt, List<Hold> holds) {
        attempt.conversion().ifPresent(conversion -> {
            List<Hold> uncertain = holds.stream()
                    .filter(hold -> hold.writes() && !hold.counted() && hold.countedBy() >= conversion.at())
                    .toList();
            if (!isExplained(conversion.after(), conversion.before(), uncertain)) {
                violations.add("The counter changed from " + conversion.before() + " to " + conversion.after()
                        + " during the conversion of a lock that kept writers out: " + attempt);
            }
        });
    }

    private static boolean isExplained(long value, long expected, List<Hold> uncertain) {
        return value == expected || uncertain.stream().anyMatch(hold -> hold.read() + 1 == value);
    }
}
