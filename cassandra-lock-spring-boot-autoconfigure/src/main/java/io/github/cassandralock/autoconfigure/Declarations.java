package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.exactlyonce.Runner;
import io.github.cassandralock.internal.exactlyonce.Runners;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What the application declares to be run. */
record Declarations(List<HandlerDefinition<?>> handlers, List<SinkDefinition> sinks, List<PumpDefinition> pumps) {

    /** Two that have one name would share a state, a mark in a queue, or the ids of messages. */
    void requireDistinctNames() {
        Set<String> names = new HashSet<>();
        Stream.of(
                        handlers.stream().map(HandlerDefinition::name),
                        sinks.stream().map(SinkDefinition::name),
                        pumps.stream().map(PumpDefinition::name))
                .flatMap(each -> each)
                .filter(name -> !names.add(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new MistakenHandlerException(
                            "Two beans of the application define a handler, sink or pump named '" + name + "'.",
                            "Give each a name of its own. An application runs one copy of each; more copies are more"
                                    + " instances of the application.");
                });
    }

    /** A function is not run unless a definition says how. */
    void requireHandlersOf(String... functions) {
        if (functions.length > 0 && handlers.isEmpty()) {
            throw new MistakenHandlerException(
                    "The bean '" + functions[0]
                            + "' is an ExactlyOnceHandler, but no HandlerDefinition bean says what its"
                            + " state and its queues are, so it would never be called.",
                    "Declare a bean of type HandlerDefinition: inject HandlerBuilders and Queues into its method,"
                            + " begin with HandlerBuilders.named, add queues, and build it.");
        }
    }

    List<Runner> runners(Runners runners) {
        return Stream.of(
                        handlers.stream().map(runners::of),
                        sinks.stream().map(runners::of),
                        pumps.stream().map(runners::of))
                .flatMap(each -> each)
                .toList();
    }
}
