package io.github.cassandralock.internal.steps;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A request to a store: one that throws counts as one that failed, so that whoever waits for its end is always told. */
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
}
