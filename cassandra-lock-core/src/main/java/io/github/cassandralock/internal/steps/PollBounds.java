package io.github.cassandralock.internal.steps;

import java.time.Duration;

/** The shortest and the longest pause, such as the one between two reads of a lock. */
public record PollBounds(Duration min, Duration max) {

    /** Returns this pause, or the nearest bound if it is outside the bounds. */
    public Duration clamp(long nanos) {
        return Duration.ofNanos(Math.max(min.toNanos(), Math.min(max.toNanos(), nanos)));
    }
}
