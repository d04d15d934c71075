package io.github.cassandralock.internal.steps;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Operations of which a bounded number is under way at a time. The others wait, in the order in which they were added. The end of
 * an operation begins the next one, on the thread that ends it. Thread-safe; never blocks.
 */
public final class BoundedOperations {

    /** Less than half of what the driver sends on one connection at a time by default. Renewals and calls have the rest. */
    public static final int MOST = 500;

    /** An operation that has not begun, and the future that completes with its result. */
    private record Waiting<T>(Supplier<? extends CompletionStage<T>> operation, CompletableFuture<T> result) {

        CompletionStage<T> begin() {
            return Operation.begin(operation).whenComplete((value, failure) -> {
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        }
    }

    private final Queue<Waiting<?>> waiting = new ConcurrentLinkedQueue<>();

    /** How many operations may begin now. */
    private final AtomicInteger free = new AtomicInteger(MOST);

    /** Adds an operation, which begins after the next call of {@link #begin()}. Completes with the operation's result. */
    public <T> CompletableFuture<T> add(Supplier<? extends CompletionStage<T>> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        waiting.add(new Waiting<>(operation, result));
        return result;
    }

    /** Adds an operation, and begins it unless too many are under way. Completes with the operation's result. */
    public <T> CompletableFuture<T> begin(Supplier<? extends CompletionStage<T>> operation) {
        CompletableFuture<T> result = add(operation);
        begin();
        return result;
    }

    /** Begins as many of the added operations as may be under way. The others follow. */
    public void begin() {
        while (!waiting.isEmpty() && take()) {
            beginNext();
        }
    }

    private boolean take() {
        return free.getAndUpdate(now -> Math.max(0, now - 1)) > 0;
    }

    /** Begins one operation after the other, until one is under way or none waits. */
    private void beginNext() {
        for (Waiting<?> next = waiting.poll(); next != null; next = waiting.poll()) {
            if (isUnderWay(next)) {
                return;
            }
        }
        free.incrementAndGet();
    }

    /**
     * Begins the operation. Returns false if it has ended already: the caller then begins the next one. Otherwise the end of the
     * operation begins the next one. Therefore operations that end at once are not nested in each other.
     */
    private boolean isUnderWay(Waiting<?> next) {
        AtomicBoolean first = new AtomicBoolean(true);
        next.begin().whenComplete((done, failure) -> {
            if (!first.getAndSet(false)) {
                beginNext();
                begin();
            }
        });
        return first.getAndSet(false);
    }

    /** Cancels the operations that have not begun. They never begin. */
    public void cancelWaiting() {
        for (Waiting<?> next = waiting.poll(); next != null; next = waiting.poll()) {
            next.result().cancel(false);
        }
    }
}
