package io.github.cassandralock.internal.thesis.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PositionTest {

    @Test
    void theFirstCellIsFirst() {
        assertThat(Position.of("b", List.of("b", "c"), true)).isEqualTo(new Position.First());
    }

    @Test
    void laterCellIsBehindTheHeadAndItsPositionCountsTheCellsAhead() {
        assertThat(Position.of("c", List.of("a", "b", "c"), true)).isEqualTo(new Position.Behind("a", 2));
    }

    @Test
    void cellThatTheWholeRowDoesNotContainIsGone() {
        assertThat(Position.of("c", List.of("a", "b"), true)).isEqualTo(new Position.Gone());
        assertThat(Position.of("c", List.of(), true)).isEqualTo(new Position.Gone());
    }

    @Test
    void cellAfterTheCellsThatWereReadIsFurtherBehind() {
        assertThat(Position.of("z", List.of("a", "b"), false)).isEqualTo(new Position.Behind("a", 2));
    }
}
