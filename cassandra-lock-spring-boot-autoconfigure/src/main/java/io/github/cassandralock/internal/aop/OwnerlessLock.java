package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a lock that will outlive the call which takes it: it belongs to a stage, so the calling thread may ask for the
 * same lock again before that stage has ended, and waits then like everybody else.
 */
record OwnerlessLock(
        RemoteLocker locker, String lockId, @Nullable Duration timeout) {

    Optional<RemoteLock> take(Strategy strategy) {
        return switch (strategy) {
            case GET_LOCK -> Optional.of(await(locker.getLockAsync(lockId)));
            case TRY_GET_LOCK -> await(locker.tryGetLockAsync(lockId));
        };
    }

    private <T> T await(CompletableFuture<T> future) {
        try {
            return timeout == null ? future.get() : future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (future.cancel(false)) {
                throw timedOut(lockId, timeout);
            }
            return future.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(future, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        }
    }

    private LockInterruptedException interrupted(CompletableFuture<?> future, InterruptedException e) {
        if (!future.cancel(false)) {
            future.thenAccept(OwnerlessLock::release);
        }
        return new LockInterruptedException(
                lockId,
                "The thread was interrupted while it waited for lock '" + lockId
                        + "'; the queue was left and nothing is held",
                e);
    }

    private static void release(Object granted) {
        if (granted instanceof RemoteLock lock) {
            lock.closeAsync();
        } else if (granted instanceof Optional<?> optional) {
            optional.ifPresent(OwnerlessLock::release);
        }
    }

    static LockTimeoutException timedOut(String lockId, @Nullable Duration timeout) {
        return new LockTimeoutException(
                lockId,
                "Lock '" + lockId + "' was not granted within " + timeout
                        + "; the queue was left. Someone else holds it: try again later or allow more time");
    }
}
