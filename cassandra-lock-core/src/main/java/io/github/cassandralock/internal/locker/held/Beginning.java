package io.github.cassandralock.internal.locker.held;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** When an operation of an algorithm begins: at once, or when fewer are under way. */
@FunctionalInterface
interface Beginning {

    Beginning AT_ONCE = Supplier::get;

    /** Completes as the operation does; exceptionally if the operation never begins. */
    CompletionStage<Void> begin(Supplier<CompletionStage<Void>> operation);
}
