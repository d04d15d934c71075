package io.github.cassandralock.internal.steps;

import java.time.Duration;

/** The shortest and the longest pause, such as the one between two reads of a lock. */
public record PollBounds(Duration min, Duration max) {

    /**
     * The pauses of a waiter between two reads of a lock. The longest is at most a quarter of any lease. With a longer pause, a
     * waiter could lose its place in the queue. Other processes do not depend on these pauses.
     */
    public static final PollBounds OF_WAITERS = new PollBounds(Duration.ofMillis(1), Duration.ofMillis(250));

    /** Returns this pause, or the nearest bound if it is outside the bounds. */
    public Duration clamp(long nanos) {
        return Duration.ofNanos(Math.max(min.toNanos(), Math.min(max.toNanos(), nanos)));
    }
}
