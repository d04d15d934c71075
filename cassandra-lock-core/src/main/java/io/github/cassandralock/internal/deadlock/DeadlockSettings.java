package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.steps.PollBounds;
import java.time.Duration;

/**
 * The intervals and bounds of the search for deadlocks.
 *
 * @param checkAfter how long a call waits before anything is written or read for it
 * @param checkInterval how often the process publishes its waits, and reads the waits of others
 * @param bounds of the costs
 */
public record DeadlockSettings(Duration checkAfter, Duration checkInterval, DeadlockBounds bounds) {

    /** A deadlock is found after about six seconds. */
    public static final DeadlockSettings USUAL = new DeadlockSettings(Duration.ofSeconds(1), Duration.ofSeconds(1));

    /** The row life with the longest interval, which is a minute. The table serves processes with different settings. */
    public static final Duration LONGEST_ROW_LIFE = Duration.ofMinutes(10);

    private static final Duration SHORTEST_ROW_LIFE = Duration.ofMinutes(1);
    private static final int INTERVALS_OF_A_ROW = 10;
    private static final int SWEEPS = 4;
    private static final PollBounds SWEEP_INTERVAL = new PollBounds(Duration.ofMillis(10), Duration.ofSeconds(1));

    /** Creates settings with the usual bounds. */
    public DeadlockSettings(Duration checkAfter, Duration checkInterval) {
        this(checkAfter, checkInterval, DeadlockBounds.USUAL);
    }

    /** The time to live of the published waits. It only frees space: a row whose {@code seq} does not rise is not followed. */
    public Duration rowLife() {
        Duration life = checkInterval.multipliedBy(INTERVALS_OF_A_ROW);
        return Duration.ofSeconds(Math.max(
                SHORTEST_ROW_LIFE.toSeconds(), life.plusNanos(999_999_999).toSeconds()));
    }

    /** How often the process checks which calls have waited for long enough. */
    Duration sweepInterval() {
        return SWEEP_INTERVAL.clamp(checkAfter.toNanos() / SWEEPS);
    }
}
