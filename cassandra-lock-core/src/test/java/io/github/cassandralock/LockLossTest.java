package io.github.cassandralock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LockLossTest {

    @Test
    void lossReadsAsItsText() {
        assertThat(new LockLoss(LockLoss.Reason.CLOSED, "the application is shutting down"))
                .hasToString("the application is shutting down");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void lossWithoutReasonOrTextIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockLoss(null, "text"))
                .withMessageContaining("both are needed");
        assertThatIllegalArgumentException().isThrownBy(() -> new LockLoss(LockLoss.Reason.OTHER, null));
    }

    @Test
    void exceptionOfAnApplicationHasNoReasonOfTheLocks() {
        assertThat(new LockLostException("k", "refused by the resource").getReason())
                .isEqualTo(LockLoss.Reason.OTHER);
    }
}
