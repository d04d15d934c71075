package io.github.cassandralock.internal.thesis.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.steps.PollBounds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QueuePollIntervalTest {

    private static final Duration MIN = Duration.ofMillis(2);
    private static final Duration MAX = Duration.ofMillis(250);

    private final QueuePollInterval pollInterval = new QueuePollInterval(new PollBounds(MIN, MAX));

    private Duration pause(String head, int ahead, long millis) {
        return pollInterval.pause(
                new Position.Behind(head, ahead), Duration.ofMillis(millis).toNanos());
    }

    @Test
    void beginsWithShortPauses() {
        assertThat(pause("a", 1, 0)).isEqualTo(MIN);
    }

    @Test
    void pausesAreLongerTheLongerTheSameHolderStays() {
        pause("a", 1, 0);
        assertThat(pause("a", 1, 40)).isEqualTo(Duration.ofMillis(20));
        assertThat(pause("a", 1, 100)).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void neverPausesLongerThanTheUpperBound() {
        pause("a", 1, 0);
        assertThat(pause("a", 1, 3_600_000)).isEqualTo(MAX);
        assertThat(pause("a", Integer.MAX_VALUE, 3_600_000)).isEqualTo(MAX);
    }

    @Test
    void pausesAreLongFarBackInTheQueue() {
        pause("a", 20, 0);
        Duration far = pause("b", 19, 10);
        pause("x", 2, 180);
        Duration near = pause("y", 1, 190);
        assertThat(far).isGreaterThan(near.multipliedBy(5));
    }

    @Test
    void learnsHowLongHandOversTake() {
        pause("a", 3, 0);
        pause("b", 2, 100);
        assertThat(pause("c", 1, 200)).as("half of what one hand-over takes").isBetween(MIN.multipliedBy(10), MAX);
    }
}
