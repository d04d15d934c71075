package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.spring.JdbcSinks;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.exactlyonce.Runner;
import io.github.cassandralock.internal.exactlyonce.Runners;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the application declares to be run. */
record Declarations(List<HandlerDefinition<?>> handlers, List<SinkDefinition> sinks, List<PumpDefinition> pumps) {

    private static final Logger log = LoggerFactory.getLogger(Declarations.class);

    /** Two with one name would share a state, a mark in a queue, or the ids of messages. */
    void requireDistinctNames() {
        Set<String> names = new HashSet<>();
        names().filter(name -> !names.add(name)).findFirst().ifPresent(name -> {
            throw new ExplainedException(
                    "Two beans of the application define a handler, sink or pump named '" + name + "'.",
                    "Give each a name of its own. An application runs one copy of each; more copies are more"
                            + " instances of the application.");
        });
    }

    /**
     * Checks the transactions of the sinks that {@link JdbcSinks} declares: their data source is there before they are opened.
     *
     * @throws InvalidExactlyOncePropertyException if the application's transaction managers do not fit
     */
    void requireTransactions(SinkTransactions transactions) {
        transactions.requireKnown();
        for (SinkDefinition sink : sinks) {
            if (sink.opening() instanceof JdbcSinks.Opening opening) {
                var unused = transactions.of(opening.source());
            }
        }
    }

    /** Warns if a sink was renamed and its pump was not: nothing would push the rows of the new outbox. */
    void warnOfPumpsOfOtherSinks() {
        Set<String> declared = sinks.stream().map(SinkDefinition::name).collect(Collectors.toCollection(TreeSet::new));
        for (PumpDefinition pump : pumps) {
            if (pump.opening() instanceof JdbcSinks.OutboxOpening opening
                    && !declared.isEmpty()
                    && !declared.contains(opening.sink())) {
                log.warn(
                        "Pump {} pushes the rows of sink '{}', which is not a sink of this application; its sinks are {}. If that"
                                + " sink was renamed, it has a new outbox: give it a pump and a queue with new names",
                        pump.name(),
                        opening.sink(),
                        declared);
            }
        }
    }

    private Stream<String> names() {
        return Stream.of(
                        handlers.stream().map(HandlerDefinition::getName),
                        sinks.stream().map(SinkDefinition::name),
                        pumps.stream().map(PumpDefinition::name))
                .flatMap(each -> each);
    }

    /** A function runs only if a definition configures it. */
    void requireHandlersOf(String... functions) {
        if (functions.length > 0 && handlers.isEmpty()) {
            throw new ExplainedException(
                    "The bean '" + functions[0]
                            + "' is an ExactlyOnceHandler, but no HandlerDefinition bean defines its"
                            + " state and its queues. It would never be called.",
                    "Declare a bean of type HandlerDefinition. Inject HandlerBuilders and Queues into its method, begin"
                            + " with HandlerBuilders.named, add queues, and build it.");
        }
    }

    /**
     * Returns what this instance runs.
     *
     * @throws InvalidExactlyOncePropertyException if an excluded name belongs to no handler, sink or pump
     */
    Declarations onThisInstance(ExactlyOnceProperties.Copies copies) {
        Set<String> names = names().collect(Collectors.toCollection(TreeSet::new));
        copies.excluded().stream()
                .filter(name -> !names.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw new InvalidExactlyOncePropertyException(
                            "copies.excluded",
                            name,
                            "the application defines no handler, sink or pump of this name; it defines "
                                    + InvalidExactlyOncePropertyException.list(names),
                            "Correct the name in application.yml, or remove it from the list.",
                            null);
                });
        return new Declarations(
                included(copies, handlers, HandlerDefinition::getName),
                included(copies, sinks, SinkDefinition::name),
                included(copies, pumps, PumpDefinition::name));
    }

    private static <T> List<T> included(ExactlyOnceProperties.Copies copies, List<T> all, Function<T, String> name) {
        return all.stream()
                .filter(each -> copies.enabled() && !copies.excluded().contains(name.apply(each)))
                .toList();
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
