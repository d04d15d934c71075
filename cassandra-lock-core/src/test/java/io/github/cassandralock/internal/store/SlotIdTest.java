package io.github.cassandralock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order of slots, which decides between equal tickets, and the bounds of their numbers. Costs nothing. */
class SlotIdTest {

    private static SlotId slot(UUID session, int number) {
        return new SlotId(session, number);
    }

    @Test
    void slotsAreInTheOrderOfTheirSessionsAndThenOfTheirNumbers() {
        UUID lower = new UUID(-1, 7);
        UUID higher = new UUID(0, 0);
        assertThat(Stream.of(slot(higher, 0), slot(lower, 2), slot(higher, 11), slot(lower, 10))
                        .sorted())
                .containsExactly(slot(lower, 2), slot(lower, 10), slot(higher, 0), slot(higher, 11));
    }

    @Test
    void numberOutOfBoundsIsRefused() {
        UUID session = new UUID(0, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> slot(session, -1))
                .withMessageContaining("from 0 to 32767, not -1");
        assertThatIllegalArgumentException().isThrownBy(() -> slot(session, SlotId.HIGHEST + 1));
        assertThat(slot(session, SlotId.HIGHEST).number()).isEqualTo(32_767);
    }
}
