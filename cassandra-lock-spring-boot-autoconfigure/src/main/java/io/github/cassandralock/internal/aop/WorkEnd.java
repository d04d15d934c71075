package io.github.cassandralock.internal.aop;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Detects when the work of one subscription has ended, which may be after its result or its cancellation. */
interface WorkEnd {

    /** Work of publishers counts as ended when its subscription has. */
    WorkEnd WITH_THE_SUBSCRIPTION = new WorkEnd() {};

    /** Returns the arguments with which the method is called. */
    default @Nullable Object[] arguments(@Nullable Object[] arguments) {
        return arguments;
    }

    /** Completes when no part of the work runs any more. Called after the subscription has ended. */
    default CompletableFuture<Void> ended() {
        return CompletableFuture.completedFuture(null);
    }
}
