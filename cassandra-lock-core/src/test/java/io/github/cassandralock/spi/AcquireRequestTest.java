package io.github.cassandralock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockMode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AcquireRequestTest {

    @Test
    void kindDecidesWhetherARequestWaits() {
        assertThat(AcquireRequest.waits("k", "thread").waits()).isTrue();
        assertThat(AcquireRequest.tries("k", "thread").waits()).isFalse();
    }

    @Test
    void otherNameAndModeLeaveTheRestAsItIs() {
        assertThat(AcquireRequest.tries("k", "thread").named("thread-2").in(LockMode.PROTECTED_READ))
                .isEqualTo(new AcquireRequest(
                        "k", "thread-2", AcquireRequest.Kind.TRIES, LockMode.PROTECTED_READ, Optional.empty()));
    }

    @Test
    void algorithmWithoutModesRefusesAllButExclusive() {
        AcquireRequest exclusive = AcquireRequest.waits("k", "thread");
        assertThat(exclusive.requireExclusive("queue")).isSameAs(exclusive);
        assertThatThrownBy(() -> exclusive.in(LockMode.CONCURRENT_READ).requireExclusive("queue"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("The algorithm 'queue' cannot take lock 'k' in mode CONCURRENT_READ: it supports EXCLUSIVE"
                        + " only");
    }
}
