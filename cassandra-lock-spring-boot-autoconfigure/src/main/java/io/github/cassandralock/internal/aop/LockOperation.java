package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The {@link io.github.cassandralock.DistributedLock} of one method, validated and parsed.
 *
 * @param methodName for messages
 * @param timeout null: no limit
 */
record LockOperation(
        String methodName,
        LockName key,
        Strategy strategy,
        @Nullable Duration timeout,
        WhenBusy whenBusy,
        OnLost onLost) {}
