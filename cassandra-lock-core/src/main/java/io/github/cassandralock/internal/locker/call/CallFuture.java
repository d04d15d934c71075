package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.LockTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of an asynchronous call. A caller that ends it, by whatever method, ends the call before the method returns.
 * Thread-safe.
 */
abstract class CallFuture<T> extends AwaitedFuture<T> {

    private final @Nullable T late;

    /** @param late the answer if others had the lock until the time-out; null if the future fails then */
    CallFuture(String lockId, Waits waits, @Nullable T late) {
        super(lockId, waits);
        this.late = late;
    }

    /**
     * Called when the caller ends the future.
     *
     * @param completion ends the future as the caller requires; returns whether it has
     * @return whether the future has ended as the caller requires
     */
    abstract boolean endedByCaller(BooleanSupplier completion);

    /** Completes the future with the answer of the call. Returns whether the caller receives it. */
    boolean answer(@Nullable T answer) {
        return super.complete(answer);
    }

    /** Completes the future with the failure of the call. */
    void fail(Throwable failure) {
        if (late != null && failure instanceof LockTimeoutException timedOut && isTaken(timedOut)) {
            super.complete(late);
        } else {
            super.completeExceptionally(failure);
        }
    }

    /** Whether others had the lock until the time was over, rather than requests to Cassandra failed. */
    static boolean isTaken(LockTimeoutException timedOut) {
        return timedOut.getCause() == null;
    }

    private boolean end(BooleanSupplier completion) {
        return !isDone() && endedByCaller(completion);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return end(() -> super.cancel(mayInterruptIfRunning)) || isCancelled();
    }

    @Override
    public boolean complete(@Nullable T value) {
        return end(() -> super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return end(() -> super.completeExceptionally(failure));
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        executor.execute(() -> {
            try {
                complete(supplier.get());
            } catch (RuntimeException | Error e) {
                completeExceptionally(e);
            }
        });
        return this;
    }
}
