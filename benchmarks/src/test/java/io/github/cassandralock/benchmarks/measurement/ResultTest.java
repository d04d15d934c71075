package io.github.cassandralock.benchmarks.measurement;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.cassandralock.testing.statistics.Grant;
import io.github.cassandralock.testing.statistics.Turn;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {

    @Test
    void aProcessThatGotLessThanTheOthersIsNoticed() {
        Turn turn = new Turn(
                0, List.of(new Grant(1, 1, 0, 0, 1, 2), new Grant(1, 1, 0, 2, 3, 4), new Grant(2, 1, 0, 0, 5, 6)), 0);
        assertThatIllegalStateException()
                .isThrownBy(() -> Result.of("thesis", "ticket", List.of(turn)))
                .withMessageContaining("ticket");
    }
}
