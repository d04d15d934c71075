package io.github.cassandralock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request for a permit may be combined with. Costs nothing. */
class PermitRequestTest {

    @Test
    void requestHasOnePermitUnlessItNamesAnotherNumber() {
        assertThat(LockRequest.of("api").getPermits()).isOne();
        assertThat(LockRequest.of("api").permits(5).getPermits()).isEqualTo(5);
        assertThat(LockRequest.of("api").permits(5)).isNotEqualTo(LockRequest.of("api"));
        assertThat(LockRequest.of("api").permits(1)).isEqualTo(LockRequest.of("api"));
        assertThat(LockRequest.of("api").permits(5))
                .hasToString("LockRequest[lockId=api, mode=EXCLUSIVE, holdAtLeast=PT0S, permits=5]");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, LockRequest.MAX_PERMITS + 1})
    void numberOutsideTheBoundsIsRefused(int number) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("api").permits(number))
                .withMessageContainingAll("'api'", number + " permits", "from one to 128");
    }

    @Test
    void permitsAreForIdsInModeExclusiveOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("api").permits(5).mode(LockMode.PROTECTED_READ))
                .withMessageContainingAll("'api'", "5 permits", "PROTECTED_READ");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LockRequest.of("api").mode(LockMode.PROTECTED_READ).permits(5))
                .withMessageContaining("PROTECTED_READ");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        MultiLockRequest.ofPath(LockPath.of("bank", "accounts")).permits(5))
                .withMessageContainingAll("bank", "5 permits");
    }

    @Test
    void lockThatIsNamedTwiceHasTheFewerPermits() {
        MultiLockRequest merged = MultiLockRequest.ofAll(
                List.of(LockRequest.of("api").permits(5), LockRequest.of("api").permits(3)));
        assertThat(merged.getRequests()).containsExactly(LockRequest.of("api").permits(3));
        assertThat(MultiLockRequest.of(List.of("api", "order")).permits(2).getRequests())
                .allMatch(request -> request.getPermits() == 2);
    }
}
