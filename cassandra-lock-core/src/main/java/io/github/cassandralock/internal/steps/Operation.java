package io.github.cassandralock.internal.steps;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Begins requests to a store. If the store throws, the returned stage fails, so that every request completes. */
public final class Operation {

    private Operation() {}

    /** Begins the operation. Never throws. */
    public static <T> CompletionStage<T> begin(Supplier<? extends CompletionStage<T>> operation) {
        try {
            return operation.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Completes when all of these operations have ended; exceptionally if one has failed. */
    public static CompletableFuture<Void> all(Stream<? extends CompletionStage<?>> operations) {
        return CompletableFuture.allOf(
                operations.map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new));
    }

    /** Returns the failure of an operation without the exception in which stages that depend on it wrap it. */
    public static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
