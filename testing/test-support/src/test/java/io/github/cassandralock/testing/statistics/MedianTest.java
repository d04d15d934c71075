package io.github.cassandralock.testing.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Costs nothing. Fails if the lower or the higher one of two values passes for what is between them. */
class MedianTest {

    @Test
    void ofAnOddNumberItIsTheOneInTheMiddle() {
        assertThat(Median.of(List.of(9, 1, 2))).isEqualTo(2);
    }

    @Test
    void ofAnEvenNumberItIsTheMeanOfTheTwoInTheMiddle() {
        assertThat(Median.of(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3);
    }

    @Test
    void ofNothingThereIsNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> Median.of(List.of()));
    }
}
