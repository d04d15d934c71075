package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
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
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Makes runners of definitions.
 *
 * @param copyName the name of this application's copies, for the names of their threads
 * @param pauses of sinks and pumps while there is nothing to do; handlers have their own
 * @param environment of all copies; its watch reports steps that take too long
 * @param handlerListeners of the application; called for the copies of all handlers, after the figures
 * @param sinkListeners of the application; called for the copies of all sinks, after the figures
 * @param inTransactions makes the sink that is run from the opened one, on the thread of its copy
 */
public record Runners(
        String copyName,
        GrowingPauses pauses,
        CopyEnvironment environment,
        List<HandlerListener> handlerListeners,
        List<SinkListener> sinkListeners,
        UnaryOperator<TransactionalSink> inTransactions) {

    /** Makes the lists unmodifiable. */
    public Runners {
        handlerListeners = List.copyOf(handlerListeners);
        sinkListeners = List.copyOf(sinkListeners);
    }

    /** Runs a handler. */
    public Runner of(HandlerDefinition<?> definition) {
        return new Runner(Runner.Kind.HANDLER, definition.getName(), definition.getInputQueues(), figures -> {
            HandlerCopy copy =
                    new HandlerCopy(definition, copyName, figuresAnd(figures, handlerListeners), environment);
            return new Runner.Run(copy, () -> progress(copy.getPosition()));
        });
    }

    private static <T> List<T> figuresAnd(T figures, List<T> others) {
        return Stream.concat(Stream.of(figures), others.stream()).toList();
    }

    private static Progress progress(Optional<HandlerPosition> position) {
        return position.map(present ->
                        new Progress(present.indexes(), Map.of("step", present.step(), "phase", present.phase())))
                .orElse(Progress.UNKNOWN);
    }

    /** Runs a transactional sink. */
    public Runner of(SinkDefinition definition) {
        MessageQueue queue = definition.queue();
        return new Runner(Runner.Kind.SINK, definition.name(), List.of(queue), figures -> {
            OpenedSink sink = new OpenedSink(
                    () -> inTransactions.apply(definition.opening().get()));
            SinkCopy copy = new SinkCopy(
                    definition.name(), queue, sink, pauses, copyName, figuresAnd(figures, sinkListeners), environment);
            return new Runner.Run(
                    copy,
                    () -> sink.index()
                            .map(index -> new Progress(Map.of(queue.getName(), index), Map.of("index", index)))
                            .orElse(Progress.UNKNOWN));
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
                                new OpenedOutbox(definition.opening()),
                                definition.queue(),
                                pauses,
                                copyName,
                                figures,
                                environment),
                        () -> Progress.UNKNOWN));
    }
}
