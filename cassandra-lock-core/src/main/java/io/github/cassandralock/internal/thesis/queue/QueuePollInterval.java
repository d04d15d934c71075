package io.github.cassandralock.internal.thesis.queue;

import io.github.cassandralock.internal.steps.PollBounds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a waiter pauses before its next read of the queue. This is half of the expected time of the threads ahead. The
 * expectation follows from the hand-overs of this lock that the waiter has seen. Therefore the waiter is late by only a part of
 * its wait. Its reads grow with the logarithm of the wait. Belongs to one waiter; not thread-safe.
 */
final class QueuePollInterval {

    private final PollBounds bounds;
    private @Nullable String head;
    private int ahead;
    private long headSince;
    private long handOver;

    QueuePollInterval(PollBounds bounds) {
        this.bounds = bounds;
        this.handOver = bounds.min().toNanos();
    }

    /** @param now monotonic, in nanoseconds */
    Duration pause(Position.Behind position, long now) {
        if (!position.head().equals(head)) {
            headChanged(position, now);
        }
        long expected = Math.max(handOver, now - headSince);
        long limit = bounds.max().toNanos();
        long wait = expected > limit ? limit : expected * position.ahead() / 2;
        return bounds.clamp(wait);
    }

    private void headChanged(Position.Behind position, long now) {
        if (head != null) {
            int steps = Math.max(1, ahead - position.ahead());
            long seen = (now - headSince) / steps;
            handOver = (handOver + seen) / 2;
        }
        head = position.head();
        ahead = position.ahead();
        headSince = now;
    }
}
