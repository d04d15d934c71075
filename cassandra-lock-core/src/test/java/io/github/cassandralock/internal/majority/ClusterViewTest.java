package io.github.cassandralock.internal.majority;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

    private static final Birth FIRST = birth(1, Maturity.YOUNG);
    private static final Birth SECOND = birth(2, Maturity.YOUNG);

    private final ClusterView unknown = ClusterView.unknown(5);
    private final ClusterView first = unknown.answered(Optional.of(FIRST), 10, 11);

    private static Birth birth(long incarnation, Maturity maturity) {
        return new Birth(new UUID(0, incarnation), "agreement", maturity);
    }

    @Test
    void firstBirthRowIsNoNewEpoch() {
        assertThat(first.epoch()).isEqualTo(unknown.epoch());
        assertThat(first.firstSeen()).isEqualTo(11);
    }

    @Test
    void anotherIncarnationIsANewEpoch() {
        ClusterView second = first.answered(Optional.of(SECOND), 20, 21);
        assertThat(first.isReplacedBy(Optional.of(SECOND))).isTrue();
        assertThat(second.epoch()).isEqualTo(first.epoch() + 1);
        assertThat(second.firstSeen()).isEqualTo(21);
    }

    @Test
    void missingBirthRowIsANewEpoch() {
        assertThat(first.answered(Optional.empty(), 20, 21).epoch()).isEqualTo(first.epoch() + 1);
    }

    @Test
    void moreMatureRowIsTheSameIncarnation() {
        ClusterView mature = first.answered(Optional.of(birth(1, Maturity.MATURE)), 20, 21);
        assertThat(mature.epoch()).isEqualTo(first.epoch());
        assertThat(mature.firstSeen()).isEqualTo(first.firstSeen());
        assertThat(mature.isMature()).isTrue();
    }

    @Test
    void failureOfAWriteIsKeptUntilTheRowIsAnother() {
        Throwable failure = new IllegalStateException("no permission");
        ClusterView notWritten = first.notWritten(failure);
        assertThat(notWritten.answered(Optional.of(FIRST), 20, 21).notWritten()).isSameAs(failure);
        assertThat(notWritten.answered(Optional.of(SECOND), 20, 21).notWritten())
                .isNull();
    }

    @Test
    void readWithoutAnAnswerKeepsTheRow() {
        ClusterView silent = first.unanswered(new IllegalStateException("down"), false, true);
        assertThat(silent.birth()).isEqualTo(FIRST);
        assertThat(silent.answers()).isFalse();
        assertThat(silent.shown()).isTrue();
        assertThat(silent.lastBegan()).isEqualTo(first.lastBegan());
    }
}
