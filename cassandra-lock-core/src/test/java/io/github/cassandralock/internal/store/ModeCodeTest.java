package io.github.cassandralock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.spi.AcquireRequest;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The values of modes in the table, which processes of later versions read, too. Costs nothing. */
class ModeCodeTest {

    @Test
    void everyModeIsReadAsItWasWritten() {
        assertThat(LockMode.values())
                .allSatisfy(mode -> assertThat(ModeCode.mode(ModeCode.of(mode))).isEqualTo(mode));
    }

    @Test
    void modesHaveTheCodesThatTheProtocolLists() {
        assertThat(Arrays.stream(LockMode.values()).sorted((one, other) -> ModeCode.of(one) - ModeCode.of(other)))
                .containsExactly(
                        LockMode.EXCLUSIVE,
                        LockMode.PROTECTED_WRITE,
                        LockMode.PROTECTED_READ,
                        LockMode.CONCURRENT_WRITE,
                        LockMode.CONCURRENT_READ,
                        LockMode.NULL);
        assertThat(ModeCode.of(LockMode.EXCLUSIVE)).isZero();
        assertThat(ModeCode.of(LockMode.NULL)).isEqualTo((byte) 5);
    }

    @Test
    void permitsAreTheNegativeNumberAndExclusiveForOlderVersions() {
        for (int permits : new int[] {2, 5, 127, 128}) {
            byte code = ModeCode.of(new Slot(
                    new SlotId(new UUID(0, 1), 0),
                    1,
                    SlotPhase.CHOOSING,
                    LockMode.EXCLUSIVE,
                    0,
                    Slot.NO_BASE,
                    permits));
            assertThat(code).isEqualTo((byte) -permits);
            assertThat(ModeCode.permits(code)).isEqualTo(permits);
            assertThat(ModeCode.mode(code)).isEqualTo(LockMode.EXCLUSIVE);
        }
        for (LockMode mode : LockMode.values()) {
            assertThat(ModeCode.permits(ModeCode.of(mode))).isEqualTo(1);
        }
    }

    @Test
    void numbersOfPermitsThatNoCodeHasAreRefused() {
        Slot slot = new Slot(new SlotId(new UUID(0, 1), 0), 1, SlotPhase.CHOOSING, LockMode.PROTECTED_READ, 0);
        for (int permits : new int[] {-1, 0, 2, 129}) {
            assertThatThrownBy(() -> new Slot(
                            slot.id(), 1, SlotPhase.CHOOSING, LockMode.PROTECTED_READ, 0, Slot.NO_BASE, permits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(permits + " permits");
            assertThatThrownBy(() -> AcquireRequest.waits("lock", "thread")
                            .in(LockMode.PROTECTED_READ)
                            .permits(permits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(permits + " permits");
        }
    }

    @Test
    void codeThatNoModeHasIsExclusive() {
        for (byte code : new byte[] {6, 127, -1, -128}) {
            assertThat(ModeCode.mode(code)).isEqualTo(LockMode.EXCLUSIVE);
        }
    }
}
