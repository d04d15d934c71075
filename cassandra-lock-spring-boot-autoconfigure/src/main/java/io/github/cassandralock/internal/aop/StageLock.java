package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Takes locks for a stage that a method returns. The locks belong to the stage and not to the calling thread: if that thread asks
 * for one of them before the stage has ended, it waits as any other thread does.
 */
record StageLock(LockCall call) {

    Optional<List<Hold>> take() {
        return switch (call.strategy()) {
            case GET_LOCK -> Optional.of(mandatory());
            case TRY_GET_LOCK -> soft();
        };
    }

    private List<Hold> mandatory() {
        return call.isForOne() ? List.of(call.one(await(call.getOneAsync()))) : call.each(await(call.getAllAsync()));
    }

    private Optional<List<Hold>> soft() {
        return call.isForOne()
                ? await(call.tryOneAsync()).map(lock -> List.of(call.one(lock)))
                : await(call.tryAllAsync()).map(call::each);
    }

    private <T> T await(CompletableFuture<T> future) {
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
                call.lockIds().get(0),
                "The thread was interrupted while it waited for " + LockIds.text(call.lockIds())
                        + "; the queue was left and nothing is held",
                e);
    }

    private static void release(Object granted) {
        if (granted instanceof RemoteLock lock) {
            lock.closeAsync();
        } else if (granted instanceof RemoteLocks locks) {
            locks.closeAsync();
        } else if (granted instanceof Optional<?> optional) {
            optional.ifPresent(StageLock::release);
        }
    }
}
