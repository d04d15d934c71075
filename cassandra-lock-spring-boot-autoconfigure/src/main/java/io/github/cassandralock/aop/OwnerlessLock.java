package io.github.cassandralock.aop;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a lock that will outlive the call which takes it: it belongs to a stage, so the calling thread may ask for the
 * same lock again before that stage has ended, and waits then like everybody else.
 */
final class OwnerlessLock {

    private OwnerlessLock() {}

    static RemoteLock take(RemoteLocker locker, String lockId, @Nullable Duration timeout) {
        CompletableFuture<RemoteLock> future = locker.getLockAsync(lockId);
        try {
            return timeout == null ? future.get() : future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (future.cancel(false)) {
                throw timedOut(lockId, timeout);
            }
            return future.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (!future.cancel(false)) {
                future.thenAccept(RemoteLock::closeAsync);
            }
            throw new LockInterruptedException(
                    lockId,
                    "The thread was interrupted while it waited for lock '" + lockId
                            + "'; the queue was left and nothing is held",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        }
    }

    static LockTimeoutException timedOut(String lockId, @Nullable Duration timeout) {
        return new LockTimeoutException(
                lockId,
                "Lock '" + lockId + "' was not granted within " + timeout
                        + "; the queue was left. Someone else holds it: try again later or allow more time");
    }
}
