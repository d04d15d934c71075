package io.github.cassandralock.benchmarks.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.testing.results.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitRowTest {

    @Test
    void eachLimitHasATableWithAColumnForEachSize() {
        List<LimitRow> rows = List.of(
                new LimitRow("Locks held", 10, "heap, MB", 1),
                new LimitRow("Locks held", 10, "shutdown, s", 0.5),
                new LimitRow("Locks held", 10_000, "heap, MB", 12),
                new LimitRow("Sessions", 200, "heap, MB", 3));
        assertThat(LimitRow.tables(rows))
                .containsExactly(
                        new Table(
                                "Locks held",
                                List.of("figure", "10", "10,000"),
                                List.of(List.of("heap, MB", "1.00", "12.0"), List.of("shutdown, s", "0.50", ""))),
                        new Table("Sessions", List.of("figure", "200"), List.of(List.of("heap, MB", "3.00"))));
    }
}
