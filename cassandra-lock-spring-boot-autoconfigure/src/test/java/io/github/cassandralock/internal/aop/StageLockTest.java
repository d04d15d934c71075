package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLocker;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a stage's lock is taken from a locker that is a mock. Costs nothing. */
class StageLockTest {

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void mockThatHasNotBeenTaughtAnythingIsNamedAsTheCause(Strategy strategy) {
        StageLock lock = new StageLock(mock(RemoteLocker.class), LockRequest.of("order:7"), null);
        assertThatIllegalStateException()
                .isThrownBy(() -> lock.take(strategy))
                .withMessageContainingAll("'order:7'", "mock", "getLockAsync");
    }
}
