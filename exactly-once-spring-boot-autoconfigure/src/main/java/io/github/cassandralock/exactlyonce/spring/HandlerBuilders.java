package io.github.cassandralock.exactlyonce.spring;

import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.register.Registers;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Begins definitions of handlers, in the application's store. Each has the settings for all handlers under {@code
 * exactly-once}, and the settings for its name under {@code exactly-once.handlers}. What the application then sets on the
 * builder counts. Thread-safe; does no I/O.
 */
public final class HandlerBuilders {

    /** What is configured for handlers. */
    @FunctionalInterface
    public interface Configuration {

        /**
         * Sets what is configured.
         *
         * @param handler the name of the handler
         * @param builder of its definition
         */
        void apply(String handler, HandlerDefinition.Builder<?> builder);
    }

    private final Registers registers;
    private final Configuration configuration;
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    /**
     * Builders of handlers in one store.
     *
     * @param registers where their states live
     * @param configuration what is configured for them
     */
    public HandlerBuilders(Registers registers, Configuration configuration) {
        this.registers = registers;
        this.configuration = configuration;
    }

    /**
     * Begins a definition. The queues of the handler are added to the builder.
     *
     * @param name of the handler, unique, and the name of its messages' producer. A name is never used again. A handler
     *     that is to start afresh needs a new one, for instance with the number of its incarnation
     * @param handler the function
     * @param codec of the state
     * @param initialState the state before the first input
     * @param <S> the state
     * @return a builder
     * @throws IllegalArgumentException if the name is bad
     */
    public <S> HandlerDefinition.Builder<S> named(
            String name, ExactlyOnceHandler<S> handler, StateCodec<S> codec, Supplier<S> initialState) {
        HandlerDefinition.Builder<S> builder = HandlerDefinition.builder(name, handler, registers, codec, initialState);
        configuration.apply(name, builder);
        begun.add(name);
        return builder;
    }

    /**
     * The names of the handlers whose definitions were begun.
     *
     * @return a copy
     */
    public Set<String> getNames() {
        return new TreeSet<>(begun);
    }
}
