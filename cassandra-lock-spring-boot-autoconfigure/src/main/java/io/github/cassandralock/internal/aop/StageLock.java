package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockInterruptedException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Acquires locks for a stage that a method returns. The locks belong to the stage and not to the calling thread. If that thread
 * requests one before the stage has ended, it waits like any other thread.
 */
record StageLock<G>(LockCall<G> call) {

    static <G> StageLock<G> of(LockCall<G> call) {
        return new StageLock<>(call);
    }

    Optional<List<Hold>> take() {
        return switch (call.operation().strategy()) {
            case GET_LOCK -> Optional.of(ownHolds(await(call.getAsync())));
            case TRY_GET_LOCK -> await(call.tryGetAsync()).map(this::ownHolds);
        };
    }

    private List<Hold> ownHolds(G granted) {
        return call.holds(granted).stream().map(Hold::ofItsOwn).toList();
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
        } catch (IllegalStateException mustNotWait) {
            leave(future);
            throw mustNotWait;
        }
    }

    private static void leave(CompletableFuture<?> future) {
        if (!future.cancel(false)) {
            future.thenAccept(LockCall::release);
        }
    }

    private LockInterruptedException interrupted(CompletableFuture<?> future, InterruptedException e) {
        leave(future);
        return new LockInterruptedException(
                call.lockIds().get(0),
                "The thread was interrupted while it waited for " + LockIds.text(call.lockIds())
                        + "; the queue was left and nothing is held",
                e);
    }
}
