package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.copy.KeepAlive;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerPosition;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.exactlyonce.table.MessageTable;
import io.github.cassandralock.exactlyonce.table.TableCopy;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes runners of definitions and of methods.
 *
 * @param pauses of sinks and pumps while there is nothing to do; handlers have their own
 * @param environment of all copies; its watch reports steps that take too long
 * @param handlerListeners of the application; called for the copies of all handlers, after the figures
 * @param sinkListeners of the application; called for the copies of all sinks, after the figures
 * @param inTransactions makes the sink that is run from the opened one, on the thread of its copy
 */
public record Runners(
        GrowingPauses pauses,
        CopyEnvironment environment,
        List<HandlerListener> handlerListeners,
        List<SinkListener> sinkListeners,
        UnaryOperator<TransactionalSink> inTransactions) {

    /** In the names of threads; each application has one copy of each. */
    private static final String COPY_NAME = "copy";

    /** A longer lag of a method is shown as this number, because each look counts rows. */
    private static final int MOST_COUNTED = 100_000;

    /** Makes the lists unmodifiable. */
    public Runners {
        handlerListeners = List.copyOf(handlerListeners);
        sinkListeners = List.copyOf(sinkListeners);
    }

    /**
     * The environment of all copies that one lifecycle runs.
     *
     * @param stepLimit its watch reports steps that take longer
     */
    public static CopyEnvironment environment(Duration stepLimit) {
        return CopyEnvironment.ofThisMachine(stepLimit).withKeepAlive(KeepAlive.none()); // the lifecycle does that
    }

    /** Runs a handler. */
    public Runner of(HandlerDefinition<?> definition) {
        Map<String, MessageQueue> inputs = new LinkedHashMap<>();
        definition.getInputQueues().forEach(queue -> inputs.put(queue.getName(), queue));
        return new Runner(Runner.Kind.HANDLER, definition.getName(), List.copyOf(inputs.keySet()), figures -> {
            HandlerCopy copy =
                    new HandlerCopy(definition, COPY_NAME, figuresAnd(figures, handlerListeners), environment);
            return new Runner.Run(
                    copy,
                    () -> copy.getPosition().map(Runners::details).orElse(Map.of()),
                    input -> lag(
                            inputs.get(input),
                            copy.getPosition().map(at -> at.indexes().get(input))));
        });
    }

    private static <T> List<T> figuresAnd(T figures, List<T> others) {
        return Stream.concat(Stream.of(figures), others.stream()).toList();
    }

    private static Map<String, Object> details(HandlerPosition position) {
        return Map.of("step", position.step(), "phase", position.phase(), "indexes", position.indexes());
    }

    private static Optional<Long> lag(@Nullable MessageQueue queue, Optional<Long> index) throws InterruptedException {
        return queue == null || index.isEmpty() ? Optional.empty() : Optional.of(queue.readLagBehind(index.get()));
    }

    /** Runs a transactional sink. */
    public Runner of(SinkDefinition definition) {
        MessageQueue queue = definition.queue();
        return new Runner(Runner.Kind.SINK, definition.name(), List.of(queue.getName()), figures -> {
            Opened.OfSink sink = new Opened.OfSink(
                    () -> inTransactions.apply(definition.opening().get()));
            SinkCopy copy = new SinkCopy(
                    definition.name(), queue, sink, pauses, COPY_NAME, figuresAnd(figures, sinkListeners), environment);
            return new Runner.Run(
                    copy,
                    () -> sink.index()
                            .<Map<String, Object>>map(index -> Map.of("index", index))
                            .orElse(Map.of()),
                    input -> lag(queue, sink.index()));
        });
    }

    /** Runs a pump. */
    public Runner of(PumpDefinition definition) {
        return new Runner(
                Runner.Kind.PUMP,
                definition.name(),
                List.of(),
                figures -> new Runner.Run(
                        new OutboxPump(
                                definition.name(),
                                new Opened.OfOutbox(definition.opening()),
                                definition.queue(),
                                pauses,
                                COPY_NAME,
                                figures,
                                environment),
                        Map::of,
                        input -> Optional.empty()));
    }

    /**
     * Runs a method with {@code @ExactlyOnce}.
     *
     * @param queue from which it takes messages
     * @param maxMessages of one transaction
     * @param opening opens the messages; called by the thread of the copy, again after a pause if it throws {@link
     *     io.github.cassandralock.exactlyonce.register.RegisterUnavailableException}
     * @param idle pauses while there is nothing to do
     * @param retry pauses after a failure
     * @param environment of the copies of all methods
     */
    public static Runner ofMethod(
            String queue,
            int maxMessages,
            Supplier<? extends MessageTable> opening,
            GrowingPauses idle,
            GrowingPauses retry,
            CopyEnvironment environment) {
        return new Runner(Runner.Kind.METHOD, queue, List.of(queue), figures -> {
            Opened.OfTable table = new Opened.OfTable(opening);
            TableCopy copy =
                    new TableCopy(queue, table, maxMessages, idle, retry, COPY_NAME, List.of(figures), environment);
            return new Runner.Run(copy, Map::of, input -> table.readLag(MOST_COUNTED));
        });
    }
}
