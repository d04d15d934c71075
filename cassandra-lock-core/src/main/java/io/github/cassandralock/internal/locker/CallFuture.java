package io.github.cassandralock.internal.locker;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of an asynchronous call. A caller that ends it by itself, by whatever method, gives the call up, and what that means is
 * decided before the method returns. Threads that must not wait get an exception where they would wait for it. Thread-safe.
 */
final class CallFuture<T> extends CompletableFuture<T> {

    private final ByCaller<T> byCaller;
    private final Runnable awaiting;

    /** What happens when the caller ends the future. */
    @FunctionalInterface
    interface ByCaller<T> {

        /**
         * Ends the future by the caller's completion, or by the answer of the call.
         *
         * @param completion returns whether it has ended the future
         * @return whether the caller's completion has ended the future
         */
        boolean end(CallFuture<T> future, BooleanSupplier completion);
    }

    /** @param awaiting is asked before a thread waits for the future; throws if it must not */
    CallFuture(ByCaller<T> byCaller, Runnable awaiting) {
        this.byCaller = byCaller;
        this.awaiting = awaiting;
    }

    /**
     * @param giveUp runs once the caller has ended the future, before the caller's method returns
     * @param awaiting is asked before a thread waits for the future; throws if it must not
     */
    static <T> CallFuture<T> thenGivenUp(Runnable giveUp, Runnable awaiting) {
        return new CallFuture<>(
                (future, completion) -> {
                    boolean ended = completion.getAsBoolean();
                    if (ended) {
                        giveUp.run();
                    }
                    return ended;
                },
                awaiting);
    }

    /** The call has this answer. Returns whether the caller receives it. */
    boolean answer(@Nullable T answer) {
        return super.complete(answer);
    }

    /** The call has failed. */
    void fail(Throwable failure) {
        super.completeExceptionally(failure);
    }

    private boolean end(BooleanSupplier completion) {
        return !isDone() && byCaller.end(this, completion);
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

    private void beforeWaiting() {
        if (!isDone()) {
            awaiting.run();
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        beforeWaiting();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        beforeWaiting();
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        beforeWaiting();
        return super.join();
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
