package io.github.cassandralock.thesis.queue;

import java.time.Duration;

/** The shortest and the longest pause between two looks at the queue. */
public record PollBounds(Duration min, Duration max) {

    Duration clamp(long nanos) {
        return Duration.ofNanos(Math.max(min.toNanos(), Math.min(max.toNanos(), nanos)));
    }
}
