package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One method's {@link io.github.cassandralock.DistributedLock}, checked and parsed.
 *
 * @param methodName for messages
 * @param timeout null: as long as it takes
 */
record LockOperation(
        String methodName,
        LockKey key,
        Strategy strategy,
        @Nullable Duration timeout,
        WhenBusy whenBusy,
        OnLost onLost) {}
