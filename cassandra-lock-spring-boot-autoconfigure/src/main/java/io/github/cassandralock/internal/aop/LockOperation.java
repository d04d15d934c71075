package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockRequests;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The {@link io.github.cassandralock.DistributedLock} of one method, validated and parsed.
 *
 * @param methodName for messages
 * @param mode how the locks are held
 * @param timeout null: no limit
 * @param holdAtLeast zero: no minimum
 */
record LockOperation(
        String methodName,
        LockName key,
        Strategy strategy,
        LockMode mode,
        @Nullable Duration timeout,
        Duration holdAtLeast,
        WhenBusy whenBusy,
        OnLost onLost) {

    /** What a call that needs one lock requests of the locker. */
    LockRequest request(LockRequest named) {
        return named.mode(mode).holdAtLeast(holdAtLeast);
    }

    /** What a call that needs several locks requests of the locker. */
    LockRequests requests(LockRequests named) {
        return named.mode(mode).holdAtLeast(holdAtLeast);
    }
}
