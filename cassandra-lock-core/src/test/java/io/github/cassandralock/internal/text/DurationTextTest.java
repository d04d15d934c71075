package io.github.cassandralock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.000000999S, 999 ns",
        "PT0.000041482S, 41 µs",
        "PT0.0034S, 3.4 ms",
        "PT0.25S, 250 ms",
        "PT0.999999S, 999 ms",
        "PT1S, 1 s",
        "PT2.5S, 2.5 s",
        "PT15S, 15 s",
        "PT59.999S, 59 s",
        "PT1M, 1 min",
        "PT2M3S, 2 min 3 s",
        "PT1H5M, 1 h 5 min",
        "PT26H, 1 d 2 h",
        "P200000D, 200000 d",
        "PT-1.5S, -1.5 s"
    })
    void durationReadsAsPeopleWriteIt(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }
}
