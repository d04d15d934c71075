package io.github.cassandralock.internal.steps;

import java.time.Duration;

/** The shortest and the longest pause between two reads of those ahead. */
public record PollBounds(Duration min, Duration max) {

    /** The pause nearest to this one within the bounds. */
    public Duration clamp(long nanos) {
        return Duration.ofNanos(Math.max(min.toNanos(), Math.min(max.toNanos(), nanos)));
    }
}
