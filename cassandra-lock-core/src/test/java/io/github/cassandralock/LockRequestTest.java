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
        assertThat(request.getLockId()).isEqualTo("job");
        assertThat(request.getHoldAtLeast()).isZero();
    }

    @Test
    void minimumTimeIsThatOfTheCopyAlone() {
        LockRequest request = LockRequest.of("job");
        LockRequest minimum = request.holdAtLeast(Duration.ofSeconds(10));
        assertThat(minimum.getLockId()).isEqualTo("job");
        assertThat(minimum.getHoldAtLeast()).isEqualTo(Duration.ofSeconds(10));
        assertThat(request.getHoldAtLeast()).isZero();
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
        assertThat(LockRequest.of("job").holdAtLeast(atLeast).getHoldAtLeast()).isEqualTo(atLeast);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"PT-1S", "PT0S", "PT0.0009S", "PT8760H0.001S"})
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void longestTimeOutsideItsBoundsIsRefused(@Nullable Duration atMost) {
        LockRequest request = LockRequest.of("job");
        assertThatThrownBy(() -> request.holdAtMost(atMost))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holdAtMost " + atMost + " for lock 'job'");
    }

    @Test
    void longestTimeIsNotShorterThanTheMinimumTime() {
        Duration second = Duration.ofSeconds(1);
        LockRequest bounded = LockRequest.of("job").holdAtMost(second);
        LockRequest minimum = LockRequest.of("job").holdAtLeast(second.plusMillis(1));
        assertThat(bounded.holdAtLeast(second).getHoldAtMost()).contains(second);
        assertThatThrownBy(() -> bounded.holdAtLeast(second.plusMillis(1)))
                .hasMessageContaining("shorter than its holdAtLeast");
        assertThatThrownBy(() -> minimum.holdAtMost(second)).hasMessageContaining("shorter than its holdAtLeast");
    }

    @Test
    void modeIsExclusiveUnlessTheRequestSaysOne() {
        LockRequest request = LockRequest.of("k");
        LockRequest readers = request.mode(LockMode.PROTECTED_READ);
        assertThat(request.getMode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(readers.getMode()).isEqualTo(LockMode.PROTECTED_READ);
        assertThat(readers.getLockId()).isEqualTo("k");
    }

    @Test
    void copiesKeepWhatTheyDoNotChange() {
        LockRequest request = LockRequest.of("k").mode(LockMode.NULL).holdAtLeast(Duration.ofSeconds(1));
        assertThat(request.getMode()).isEqualTo(LockMode.NULL);
        assertThat(request.mode(LockMode.CONCURRENT_READ).getHoldAtLeast()).isEqualTo(Duration.ofSeconds(1));
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

    /** What would change how a log is read, and what nobody could see. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, 0x09, 0x1B, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0xAD, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
                0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0xD800, 0xDFFF, 0xFEFF
            })
    void characterThatChangesTheTextAroundItIsRefused(int character) {
        String text = new String(new int[] {character}, 0, 1);
        for (String lockId : new String[] {"a" + text, text + "a", "a" + text + "b", text}) {
            assertThatThrownBy(() -> LockRequest.of(lockId))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .contains(String.format("U+%04X", character))
                    .doesNotContain(text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00A0",
                "\u200B",
                "\u2060",
                "\u200D",
                "\u3000",
                "\u2003 \u200B",
                "\u034F",
                "\uFE0F",
                "\u3164",
                "\u115F",
                "\u2800",
                "\uDB40\uDC41"
            })
    void idWithoutAVisibleCharacterIsRefused(String lockId) {
        assertThatThrownBy(() -> LockRequest.of(lockId))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no visible character");
        assertThatThrownBy(() -> LockPath.of("bank", lockId)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Persian, Hindi, and a family. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
                "\u0915\u094D\u200D\u0937",
                "\uD83D\uDC68\u200D\uD83D\uDC69",
                "caf\u00E9",
                "cafe\u0301",
                "a b",
                "a\u00A0b",
                "\uD83D\uDD12"
            })
    void joinersAndMarksOfScriptsAreAccepted(String lockId) {
        assertThat(LockRequest.of(lockId).getLockId()).isEqualTo(lockId);
    }

    @Test
    void messageAboutALongIdIsShort() {
        assertThatThrownBy(() -> LockRequest.of("\uD83D\uDD12".repeat(200)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is 800 bytes long")
                .message()
                .hasSizeLessThan(200);
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
