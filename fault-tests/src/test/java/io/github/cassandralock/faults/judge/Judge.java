package io.github.cassandralock.faults.judge;

import io.github.cassandralock.faults.workload.Event;
import io.github.cassandralock.faults.workload.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Finds lies in what workers noted. A lock is promised from its grant until it says that it is lost, so what counts is from
 * when to when it said that it is held: a process that stands still beyond its lease and then learns of it has not been lied
 * to, and what it wrote in between is what fencing tokens are for.
 */
public final class Judge {

    private static final int MOST_DETAILS = 20;

    private final List<Window> faults;
    private final List<AttemptStory> stories;
    private final List<String> lies = new ArrayList<>();

    private Judge(List<History> histories, List<Window> faults) {
        this.faults = faults;
        this.stories = histories.stream()
                .flatMap(history -> AttemptStory.of(history).stream())
                .toList();
    }

    /**
     * Everything that is wrong, in words; empty if nothing is.
     *
     * @param faults when locks may be lost
     * @param counters each lock's counter in the end
     */
    public static List<String> lies(List<History> histories, List<Window> faults, ToLongFunction<String> counters) {
        Judge judge = new Judge(histories, faults);
        judge.accountForAttempts();
        judge.stories.forEach(judge::checkStory);
        judge.stories.stream()
                .flatMap(story -> story.stay().stream())
                .collect(Collectors.groupingBy(Stay::lockId))
                .forEach((lockId, stays) -> judge.checkLock(stays, counters.applyAsLong(lockId)));
        return judge.lies.size() <= MOST_DETAILS ? judge.lies : judge.lies.subList(0, MOST_DETAILS);
    }

    /** Of each thread all attempts but, if its process was killed, the last have come to an end. */
    private void accountForAttempts() {
        Map<String, AttemptStory> last =
                stories.stream().collect(Collectors.toMap(AttemptStory::thread, story -> story, (one, next) -> next));
        for (AttemptStory story : stories) {
            lies.addAll(story.nonsense());
            boolean cutShort = story.mayBeCutShort() && last.get(story.thread()) == story;
            if (story.outcome().isEmpty() && !cutShort) {
                lies.add(story + " was asked for and never heard of again");
            }
        }
    }

    private void checkStory(AttemptStory story) {
        if (story.tokenRefusedWhileHeld()) {
            lies.add(story + " was held, and its token refused");
        }
        Optional<Outcome> outcome = story.outcome();
        boolean spoiled = outcome.equals(Optional.of(Outcome.LOST)) || outcome.equals(Optional.of(Outcome.FAILED));
        if (spoiled && faults.stream().noneMatch(fault -> fault.meets(story.askedAt(), story.endedAt()))) {
            lies.add(story + " ended " + outcome.get() + " while nothing was wrong: " + story.detail());
        }
    }

    private void checkLock(List<Stay> stays, long counter) {
        List<Stay> inOrder =
                stays.stream().sorted(Comparator.comparingLong(Stay::enteredAt)).toList();
        checkOverlaps(inOrder);
        checkTokens(inOrder);
        checkCounts(inOrder, counter);
    }

    private void checkOverlaps(List<Stay> inOrder) {
        Stay last = inOrder.get(0);
        for (Stay stay : inOrder.subList(1, inOrder.size())) {
            if (stay.enteredAt() <= last.heldUntil()) {
                lies.add("Two held it at once: " + last + " and " + stay);
            }
            if (stay.heldUntil() > last.heldUntil()) {
                last = stay;
            }
        }
    }

    private void checkTokens(List<Stay> inOrder) {
        Stay last = inOrder.get(0);
        for (Stay stay : inOrder.subList(1, inOrder.size())) {
            if (stay.token() != Event.NO_TOKEN && stay.token() <= last.token()) {
                lies.add("The token did not grow: " + last + " and " + stay);
            }
            last = stay;
        }
    }

    /**
     * Each count begins where the one before ended, unless one that was cut short, or lost its lock, may have written in
     * between.
     */
    private void checkCounts(List<Stay> inOrder, long counter) {
        List<Stay> uncertain = new ArrayList<>();
        long expected = 0;
        for (Stay stay : inOrder) {
            if (!isExplained(stay.read(), expected, uncertain)) {
                lies.add("Found " + stay.read() + " in place of " + expected + ": " + stay);
                expected = stay.read();
            }
            if (stay.counted()) {
                uncertain.removeIf(other -> other.countedBy() < stay.enteredAt());
                expected = stay.read() + 1;
            } else {
                uncertain.add(stay);
            }
        }
        if (!isExplained(counter, expected, uncertain)) {
            lies.add("The counter is " + counter + " in the end in place of " + expected);
        }
    }

    private static boolean isExplained(long value, long expected, List<Stay> uncertain) {
        return value == expected || uncertain.stream().anyMatch(stay -> stay.read() + 1 == value);
    }
}
