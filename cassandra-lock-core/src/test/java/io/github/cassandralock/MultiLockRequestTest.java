package io.github.cassandralock;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a request for several locks asks for. Costs nothing; it fails if a lock would be taken in another mode than asked for. */
class MultiLockRequestTest {

    private static LockRequest request(String lockId, LockMode mode) {
        return LockRequest.of(lockId).mode(mode);
    }

    @Test
    void locksAreTakenInTheOrderOfTheirIdsEachInItsOwnMode() {
        LockRequest order = LockRequest.of("order").holdAtLeast(Duration.ofSeconds(1));
        LockRequest prices = request("prices", PROTECTED_READ);
        LockRequest audit = request("audit", CONCURRENT_WRITE);
        assertThat(MultiLockRequest.ofAll(List.of(prices, order, audit)).getRequests())
                .containsExactly(audit, order, prices);
    }

    @ParameterizedTest
    @CsvSource({
        "PROTECTED_READ, PROTECTED_READ, PROTECTED_READ",
        "NULL, NULL, NULL",
        "NULL, CONCURRENT_READ, CONCURRENT_READ",
        "CONCURRENT_READ, CONCURRENT_WRITE, CONCURRENT_WRITE",
        "CONCURRENT_READ, PROTECTED_READ, PROTECTED_READ",
        "CONCURRENT_WRITE, PROTECTED_READ, PROTECTED_WRITE",
        "PROTECTED_READ, PROTECTED_WRITE, PROTECTED_WRITE",
        "PROTECTED_READ, EXCLUSIVE, EXCLUSIVE",
    })
    void lockThatIsNamedTwiceIsTakenOnceInTheLeastModeThatCoversBoth(LockMode one, LockMode other, LockMode taken) {
        for (List<LockMode> modes : List.of(List.of(one, other), List.of(other, one))) {
            assertThat(MultiLockRequest.ofAll(modes.stream()
                                    .map(mode -> request("k", mode))
                                    .toList())
                            .getRequests())
                    .containsExactly(request("k", taken));
        }
    }

    @Test
    void lockThatIsNamedThreeTimesIsTakenInAModeThatCoversAll() {
        assertThat(MultiLockRequest.ofAll(List.of(
                                request("k", CONCURRENT_WRITE), request("k", NULL), request("k", PROTECTED_READ)))
                        .getRequests())
                .containsExactly(request("k", PROTECTED_WRITE));
    }

    @Test
    void lockThatIsNamedTwiceStaysTakenForTheLongestMinimumTime() {
        LockRequest longer = LockRequest.of("k").holdAtLeast(Duration.ofSeconds(2));
        LockRequest shorter = request("k", CONCURRENT_READ).holdAtLeast(Duration.ofSeconds(1));
        assertThat(MultiLockRequest.ofAll(List.of(longer, shorter)).getRequests())
                .containsExactly(longer);
        assertThat(MultiLockRequest.ofAll(List.of(shorter, longer)).getRequests())
                .containsExactly(longer);
    }

    @Test
    void oneModeCanBeSetForAllLocks() {
        assertThat(MultiLockRequest.of(List.of("b", "a")).mode(PROTECTED_READ))
                .isEqualTo(MultiLockRequest.ofAll(List.of(request("a", PROTECTED_READ), request("b", PROTECTED_READ))))
                .isNotEqualTo(MultiLockRequest.of(List.of("b", "a")))
                .isEqualTo(MultiLockRequest.of(List.of("b", "a", "b"))
                        .mode(EXCLUSIVE)
                        .mode(PROTECTED_READ));
    }

    @Test
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void nullIsRefusedWithWhatToDo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.ofAll(null))
                .withMessageContainingAll("lock requests is null", "at least one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.ofAll(Arrays.asList(LockRequest.of("a"), null)))
                .withMessageContainingAll("is null", "LockRequest.of");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.of(List.of("a")).mode(null))
                .withMessageContaining("'a'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.of(null))
                .withMessageContaining("lock ids is null");
    }

    @Test
    void noLockAtAllAndTooManyLocksAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.ofAll(List.of()))
                .withMessageContainingAll("lock requests is empty", "at least one");
        List<LockRequest> many = IntStream.rangeClosed(0, MultiLockRequest.MAX_LOCKS)
                .mapToObj(number -> LockRequest.of("k" + number))
                .toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.ofAll(many))
                .withMessageContainingAll("1001 locks", "'k0'", "1000");
        assertThat(MultiLockRequest.ofAll(many.subList(1, many.size())).getRequests())
                .hasSize(MultiLockRequest.MAX_LOCKS);
    }
}
