package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.DistributedLock.WhenUnavailable;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.event.Level;

/** How a stage's locks are taken from a locker that is a mock. Costs nothing. */
class LockCallTest {

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void mockThatHasNotBeenTaughtAnythingIsNamedAsTheCause(Strategy strategy) {
        for (List<String> lockIds : List.of(List.of("order:7"), List.of("order:6", "order:7"))) {
            MultiLockRequest names = MultiLockRequest.of(lockIds);
            LockOperation operation = new LockOperation(
                    "Orders.bill",
                    "",
                    (root, method, args) -> names,
                    strategy,
                    LockMode.EXCLUSIVE,
                    1,
                    null,
                    Duration.ZERO,
                    null,
                    WhenBusy.SKIP,
                    WhenUnavailable.THROW,
                    OnLost.THROW,
                    OncePeriod.Source.NONE,
                    new SkippedRuns(Level.INFO, Ticker.system()),
                    new SkippedRuns(Level.WARN, Ticker.system()));
            LockCall<?> call = LockCall.of(mock(RemoteLocker.class), operation, names);
            assertThatIllegalStateException()
                    .isThrownBy(() -> call.take(true))
                    .withMessageContainingAll("'order:7'", "mock", "getLockAsync", "getLocksAsync");
        }
    }
}
