package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future of an asynchronous call, or of a stage that depends on it. Methods that would wait throw on a thread that must not
 * wait. A callback thread that waits is replaced meanwhile. Futures that {@code allOf} and {@code anyOf} return have no such check.
 * Thread-safe.
 */
class AwaitedFuture<T> extends CompletableFuture<T> {

    private final String lockId;
    private final Waits waits;

    /** @param lockId of the lock that the call waits for */
    AwaitedFuture(String lockId, Waits waits) {
        this.lockId = lockId;
        this.waits = waits;
    }

    /** Stages that depend on this future wait for its call. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new AwaitedFuture<>(lockId, waits);
    }

    private CallbackThreads.Replacement beforeWaiting() {
        if (isDone()) {
            return CallbackThreads.Replacement.NONE;
        }
        waits.requireAllowed(() -> "The answer for lock '" + lockId + "' is not waited for", "thenAccept");
        return CallbackThreads.replaceThisThread();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        try (CallbackThreads.Replacement meanwhile = beforeWaiting()) {
            return super.get();
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try (CallbackThreads.Replacement meanwhile = beforeWaiting()) {
            return super.get(timeout, unit);
        }
    }

    @Override
    public T join() {
        try (CallbackThreads.Replacement meanwhile = beforeWaiting()) {
            return super.join();
        }
    }
}
