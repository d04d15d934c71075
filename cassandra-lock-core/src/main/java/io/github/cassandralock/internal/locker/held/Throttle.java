package io.github.cassandralock.internal.locker.held;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** When an operation of an algorithm begins: at once, or when fewer are under way. */
@FunctionalInterface
interface Throttle {

    Throttle NONE = Supplier::get;

    /** Completes with the operation's result; exceptionally if the operation never begins. */
    CompletionStage<Void> begin(Supplier<CompletionStage<Void>> operation);
}
