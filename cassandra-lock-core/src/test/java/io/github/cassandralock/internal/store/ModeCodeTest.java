package io.github.cassandralock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import java.util.Arrays;
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
    void codeThatNoModeHasIsExclusive() {
        for (byte code : new byte[] {6, 127, -1, -128}) {
            assertThat(ModeCode.mode(code)).isEqualTo(LockMode.EXCLUSIVE);
        }
    }
}
