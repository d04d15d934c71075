package io.github.cassandralock.internal.thesis.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueueCellTest {

    @Test
    void nameIsTwentyDigitsOfMicrosecondsThenTheThreadId() {
        assertThat(new QueueCell(1_700_000_000_000_000L, "host-1").name()).isEqualTo("00001700000000000000host-1");
        assertThat(new QueueCell(7, "t").name()).isEqualTo("00000000000000000007t");
    }

    @Test
    void namesSortByArrivalAndTiesByThreadId() {
        String early = new QueueCell(99, "z").name();
        String tieA = new QueueCell(100, "a").name();
        String tieB = new QueueCell(100, "b").name();
        String late = new QueueCell(1_000, "a").name();
        assertThat(List.of(late, tieB, early, tieA).stream().sorted()).containsExactly(early, tieA, tieB, late);
    }

    @Test
    void arrivalIsReadBackFromAName() {
        assertThat(QueueCell.arrivalOf(new QueueCell(123_456, "0").name())).isEqualTo(123_456);
    }

    @Test
    void firstNameAtATimeSortsBeforeEveryCellThatArrivedThen() {
        assertThat(QueueCell.firstNameAt(100)).isLessThan(new QueueCell(100, "").name() + "a");
        assertThat(QueueCell.firstNameAt(-5)).isEqualTo(QueueCell.firstNameAt(0));
    }
}
