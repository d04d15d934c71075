package io.github.cassandralock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request accepts. Costs nothing; it fails if a wrong value reaches the locker. */
class LockRequestTest {

    @Test
    void requestHasNoMinimumTimeUnlessItSaysOne() {
        LockRequest request = LockRequest.of("job");
        assertThat(request.lockId()).isEqualTo("job");
        assertThat(request.holdAtLeast()).isZero();
    }

    @Test
    void minimumTimeIsThatOfTheCopyAlone() {
        LockRequest request = LockRequest.of("job");
        LockRequest minimum = request.holdAtLeast(Duration.ofSeconds(10));
        assertThat(minimum.lockId()).isEqualTo("job");
        assertThat(minimum.holdAtLeast()).isEqualTo(Duration.ofSeconds(10));
        assertThat(request.holdAtLeast()).isZero();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"PT-0.001S", "PT24H0.001S"})
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void minimumTimeOutsideItsBoundsIsRefused(@Nullable Duration atLeast) {
        LockRequest request = LockRequest.of("job");
        assertThatThrownBy(() -> request.holdAtLeast(atLeast))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holdAtLeast " + atLeast + " for lock 'job'")
                .hasMessageContaining("24 hours");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT24H"})
    void boundsThemselvesAreAccepted(Duration atLeast) {
        assertThat(LockRequest.of("job").holdAtLeast(atLeast).holdAtLeast()).isEqualTo(atLeast);
    }

    @Test
    void modeIsExclusiveUnlessTheRequestSaysOne() {
        LockRequest request = LockRequest.of("k");
        LockRequest readers = request.mode(LockMode.PROTECTED_READ);
        assertThat(request.mode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(readers.mode()).isEqualTo(LockMode.PROTECTED_READ);
        assertThat(readers.lockId()).isEqualTo("k");
    }

    @Test
    void copiesKeepWhatTheyDoNotChange() {
        LockRequest request = LockRequest.of("k").mode(LockMode.NULL).holdAtLeast(Duration.ofSeconds(1));
        assertThat(request.mode()).isEqualTo(LockMode.NULL);
        assertThat(request.mode(LockMode.CONCURRENT_READ).holdAtLeast()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void nullIsNoMode() {
        LockRequest request = LockRequest.of("k");
        assertThatThrownBy(() -> request.mode(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'k'")
                .hasMessageContaining("LockMode.PROTECTED_READ for readers");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "   ", "line\nbreak"})
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void badLockIdIsRefused(@Nullable String lockId) {
        assertThatThrownBy(() -> LockRequest.of(lockId)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void requestsForTheSameAreEqual() {
        LockRequest request = LockRequest.of("job").holdAtLeast(Duration.parse("PT1.000S"));
        assertThat(request)
                .isEqualTo(LockRequest.of("job").holdAtLeast(Duration.ofSeconds(1)))
                .hasSameHashCodeAs(LockRequest.of("job").holdAtLeast(Duration.ofSeconds(1)))
                .isNotEqualTo(LockRequest.of("job"))
                .isNotEqualTo(LockRequest.of("job").mode(LockMode.NULL).holdAtLeast(Duration.ofSeconds(1)))
                .isNotEqualTo(LockRequest.of("other").holdAtLeast(Duration.ofSeconds(1)))
                .hasToString("LockRequest[lockId=job, mode=EXCLUSIVE, holdAtLeast=PT1S]");
    }
}
