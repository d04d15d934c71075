package io.github.cassandralock.testing.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.testing.statistics.Figures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Costs nothing. Fails if a row shows less than its turns gave: its spread, or that one of them was not quiet. */
class ResultTest {

    private static Result of(boolean warm, Measured... turns) {
        return Result.of("peers", Map.of("contenders", 5L), "ticket", List.of(turns), warm);
    }

    @Test
    void aRowIsTheMedianOfItsTurnsAndShowsTheLowestAndTheHighest() {
        Result row = of(true, Rows.turn(120), Rows.turn(90), Rows.turn(110), Rows.turn(100));
        assertThat(row.rate()).isEqualTo(105);
        assertThat(row.lowestPerSecond()).isEqualTo(90);
        assertThat(row.highestPerSecond()).isEqualTo(120);
        assertThat(row.usage().serverMsPerLock()).isEqualTo(1.5);
        assertThat(row.usage().collectors()).isNaN();
    }

    @Test
    void aRowIsWarmIfItsRateHadStoppedRisingAndEachTurnBeganQuietly() {
        Figures figures = Rows.turn(1).figures();
        Measured loud = new Measured(figures, 0, Usage.UNKNOWN, false);
        assertThat(of(true, Rows.turn(1)).warm()).isTrue();
        assertThat(of(false, Rows.turn(1)).warm()).isFalse();
        assertThat(of(true, Rows.turn(1), loud).warm()).isFalse();
    }
}
