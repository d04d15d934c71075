package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.LockRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The {@link io.github.cassandralock.DistributedLock} of one method, validated and parsed.
 *
 * @param methodName for messages
 * @param timeout null: no limit
 * @param holdAtLeast zero: no minimum
 */
record LockOperation(
        String methodName,
        LockName key,
        Strategy strategy,
        @Nullable Duration timeout,
        Duration holdAtLeast,
        WhenBusy whenBusy,
        OnLost onLost) {

    /** What a call asks the locker for. */
    LockRequest request(String lockId) {
        return LockRequest.of(lockId).holdAtLeast(holdAtLeast);
    }
}
