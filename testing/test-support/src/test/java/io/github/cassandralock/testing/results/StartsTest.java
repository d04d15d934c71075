package io.github.cassandralock.testing.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Costs nothing. Fails if a claim could rest on the best of several starts. */
class StartsTest {

    private static final Starts THREE = new Starts(List.of(
            Rows.run(Rows.row("notices", 450), Rows.row("curator", 300)),
            Rows.run(Rows.row("notices", 400), Rows.row("curator", 200)),
            Rows.run(Rows.row("notices", 420), Rows.row("curator", 350))));

    @Test
    void theSlowestStartCountsAndTheSpreadIsThatOfAll() {
        assertThat(THREE.slowest(Rows.EXPERIMENT)).extracting(Result::rate).containsExactly(400.0, 200.0);
        assertThat(THREE.slowest(Rows.EXPERIMENT).get(0).highestPerSecond()).isEqualTo(450);
    }

    @Test
    void theRatioIsTheLowestThatAnyStartGaveAndNeverOneOfTwoStarts() {
        assertThat(THREE.lowestRatio(Rows.row("notices", 0), "curator")).isEqualTo(OptionalDouble.of(1.2));
        assertThat(THREE.lowestRatio(Rows.row("notices", 0), "redisson")).isEmpty();
    }

    @Test
    void aRowThatWasNotWarmInOneStartIsNamedFirstAndInItsPlace() {
        Result cold = Result.of(Rows.EXPERIMENT, Map.of("contenders", 5L), "curator", List.of(Rows.turn(900)), false);
        List<Run> runs = List.of(Rows.run(Rows.row("curator", 300)), Rows.run(cold));
        assertThat(new Starts(runs).notes()).containsExactly("Not warm: curator, contenders 5, start 2.");
        assertThat(ResultTables.ofReport(runs))
                .contains("**Not warm: curator, contenders 5, start 2.**")
                .contains("| no |");
        assertThat(new Starts(runs).slowest(Rows.EXPERIMENT)).singleElement().matches(row -> !row.warm());
    }
}
