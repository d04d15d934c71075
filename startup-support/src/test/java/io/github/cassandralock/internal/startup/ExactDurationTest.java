package io.github.cassandralock.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactDurationTest {

    @ParameterizedTest
    @CsvSource({"PT0S, 0 s", "PT15S, 15 s", "PT3601S, 1 h 1 s", "PT3.751S, 3 s 751 ms", "PT0.00105S, 1 ms 50 µs"})
    void durationThatIsComparedIsWrittenExactly(Duration duration, String text) {
        assertThat(ExactDuration.text(duration)).isEqualTo(text);
    }
}
