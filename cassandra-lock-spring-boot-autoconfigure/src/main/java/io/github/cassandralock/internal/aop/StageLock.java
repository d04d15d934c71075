package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes a lock for a stage that a method returns. The lock belongs to the stage and not to the calling thread: if that
 * thread asks for the same lock before the stage has ended, it waits as any other thread does.
 */
record StageLock(
        RemoteLocker locker, LockRequest request, @Nullable Duration timeout) {

    Optional<RemoteLock> take(Strategy strategy) {
        return switch (strategy) {
            case GET_LOCK -> Optional.of(await(mandatory()));
            case TRY_GET_LOCK -> await(locker.tryGetLockAsync(request));
        };
    }

    private CompletableFuture<RemoteLock> mandatory() {
        return timeout == null ? locker.getLockAsync(request) : locker.getLockAsync(request, timeout);
    }

    private <T> T await(CompletableFuture<T> asked) {
        CompletableFuture<T> future = LockerAnswers.required(asked, request.lockId());
        try {
            return future.get();
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
            future.thenAccept(StageLock::release);
        }
        return new LockInterruptedException(
                request.lockId(),
                "The thread was interrupted while it waited for lock '" + request.lockId()
                        + "'; the queue was left and nothing is held",
                e);
    }

    private static void release(Object granted) {
        if (granted instanceof RemoteLock lock) {
            lock.closeAsync();
        } else if (granted instanceof Optional<?> optional) {
            optional.ifPresent(StageLock::release);
        }
    }
}
