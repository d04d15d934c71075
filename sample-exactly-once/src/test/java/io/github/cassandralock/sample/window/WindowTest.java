package io.github.cassandralock.sample.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which numbers are in the window. */
class WindowTest {

    private static final Duration DURATION = Duration.ofSeconds(3);
    private static final Instant START = Instant.ofEpochSecond(1_000);

    @Test
    void numbersStayForTheDuration() {
        Window window = Window.empty()
                .slide(List.of(1.0, 2.0), START, DURATION)
                .slide(List.of(6.0), START.plusSeconds(2), DURATION);
        assertThat(window.average()).isEqualTo(3.0);
        Window later = window.slide(List.of(8.0), START.plusSeconds(3), DURATION);
        assertThat(later.entries()).extracting(Window.Entry::number).containsExactly(6.0, 8.0);
        assertThat(later.average()).isEqualTo(7.0);
        assertThat(later.step()).isEqualTo(3);
    }

    @Test
    void incrementsAreCountedWithTheStepThatDecidesThem() {
        Window window = Window.empty().slide(List.of(1.0), START, DURATION).incremented();
        assertThat(window.slide(List.of(), START, DURATION).increments()).isEqualTo(1);
        assertThat(window.step()).isEqualTo(1);
    }
}
