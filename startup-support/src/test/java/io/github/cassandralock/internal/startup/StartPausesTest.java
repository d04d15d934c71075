package io.github.cassandralock.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartPausesTest {

    private static List<Duration> pauses(Duration longest, int count) {
        StartPauses pauses = new StartPauses(longest, new Random(7));
        List<Duration> all = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            all.add(pauses.next());
        }
        return all;
    }

    @Test
    void pausesDoubleUpToTheLongestAndAreAtLeastHalfOfThat() {
        List<Duration> pauses = pauses(Duration.ofSeconds(10), 50);
        long bound = 1_000;
        for (Duration pause : pauses) {
            assertThat(pause).isBetween(Duration.ofMillis(bound / 2), Duration.ofMillis(bound));
            bound = Math.min(10_000, 2 * bound);
        }
    }

    @Test
    void processesThatBeganTogetherDoNotGoOnTogether() {
        assertThat(pauses(Duration.ofSeconds(5), 50)).doesNotHaveDuplicates();
    }

    @Test
    void firstPauseIsNotLongerThanTheLongest() {
        assertThat(pauses(Duration.ofMillis(100), 1).get(0)).isLessThanOrEqualTo(Duration.ofMillis(100));
    }
}
