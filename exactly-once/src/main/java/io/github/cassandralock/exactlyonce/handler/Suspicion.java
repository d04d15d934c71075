package io.github.cassandralock.exactlyonce.handler;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The findings of one copy about a message with which the function fails (docs/exactly-once.md, section 3, parking). No I/O. Used
 * by one thread.
 */
final class Suspicion {

    /** One failure may have any cause, so a message is never parked at its first failure. */
    private static final int FEWEST_FAILURES = 2;

    /**
     * How many messages may fail for each that succeeds. Several messages may be at fault together, for example by a mistake of one
     * producer.
     */
    private static final int FAILURES_FOR_A_SUCCESS = 3;

    /** Without another message to compare with, the failures must last this many times longer. */
    private static final int LONGER_ALONE = 12;

    private final MessagePlace message;
    private final long since;
    private int failures;

    /**
     * The failures that lie between two successes with another message. The count begins again whenever no other message succeeds.
     */
    private int ownFailures;

    private long ownSince;

    /** For each other message, whether the function succeeded with it at the last try. */
    private final Map<MessagePlace, Boolean> others = new LinkedHashMap<>();

    private boolean lastRoundSucceeded;

    /** @param since the time of the first failure, in nanoseconds */
    Suspicion(MessagePlace message, long since) {
        this.message = message;
        this.since = since;
        ownSince = since;
    }

    boolean isOf(MessagePlace asked) {
        return message.equals(asked);
    }

    /** Counts a failure of the message alone. */
    void failed(long now) {
        failures++;
        if (!succeedsWithAnother()) {
            ownFailures = 0;
            ownSince = now;
        } else if (lastRoundSucceeded) {
            ownFailures++;
        }
    }

    /** Adds the results of other messages since the last failure. */
    void tried(Map<MessagePlace, Boolean> results) {
        others.putAll(results);
        lastRoundSucceeded = results.containsValue(true);
    }

    boolean hasLastRoundSucceeded() {
        return lastRoundSucceeded;
    }

    Duration lasting(long now) {
        return Duration.ofNanos(now - since);
    }

    /**
     * Whether the message has failed often and long enough here. Without a success with another message, the cause is open: all
     * failures count, and other copies decide.
     */
    boolean isDue(HandlerDefinition.Parking parking, long now) {
        return succeedsWithAnother()
                ? areEnough(ownFailures, now - ownSince, parking)
                : areEnough(failures, now - since, parking);
    }

    private static boolean areEnough(int failures, long nanos, HandlerDefinition.Parking parking) {
        return failures >= Math.max(FEWEST_FAILURES, parking.attempts())
                && nanos >= parking.minDuration().toNanos();
    }

    /**
     * Whether the message itself is at fault. Others succeeded, it failed again, and another succeeded once more. This shows
     * that the function's dependencies worked meanwhile.
     */
    boolean isProven(HandlerDefinition.Parking parking, long now) {
        if (others.isEmpty()) {
            return lasting(now).compareTo(parking.minDuration().multipliedBy(LONGER_ALONE)) >= 0;
        }
        long successes = others.values().stream().filter(success -> success).count();
        return areEnough(ownFailures, now - ownSince, parking)
                && lastRoundSucceeded
                && successes * FAILURES_FOR_A_SUCCESS >= others.size() - successes;
    }

    /** Whether other messages were tried, and the function failed with all of them at the last try. */
    boolean allFail() {
        return !others.isEmpty() && !succeedsWithAnother();
    }

    /** Whether the function succeeded with another message at the last try. */
    boolean succeedsWithAnother() {
        return others.containsValue(true);
    }

    /** The number of messages that were tried, including this message. */
    int tried() {
        return 1 + others.size();
    }

    /** Where a message is. */
    record MessagePlace(String queue, long index) {

        static MessagePlace of(Inputs.Input input) {
            return new MessagePlace(input.queue(), input.index());
        }

        /** The places of other messages at a distance, the one behind first. */
        List<MessagePlace> neighbours(long distance) {
            MessagePlace after = new MessagePlace(queue, index + distance);
            return index < distance ? List.of(after) : List.of(after, new MessagePlace(queue, index - distance));
        }
    }
}
