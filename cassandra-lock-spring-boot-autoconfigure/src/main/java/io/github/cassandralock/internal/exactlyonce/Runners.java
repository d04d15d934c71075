package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerPosition;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes runners of definitions.
 *
 * @param copyName the name of this application's copies, for the names of their threads
 * @param pauses of sinks and pumps while there is nothing to do; handlers have their own
 */
public record Runners(String copyName, GrowingPauses pauses) {

    /** Runs a handler. */
    public Runner of(HandlerDefinition<?> definition) {
        return new Runner(Runner.Kind.HANDLER, definition.name(), definition.inputQueues(), figures -> {
            HandlerCopy copy = new HandlerCopy(definition, copyName, figures, CopyEnvironment.ofThisMachine());
            return new Runner.Run(copy, () -> progress(copy.position()));
        });
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
            OpenedSink sink = new OpenedSink(definition.opening());
            SinkCopy copy = new SinkCopy(
                    definition.name(), queue, sink, pauses, copyName, figures, CopyEnvironment.ofThisMachine());
            return new Runner.Run(
                    copy,
                    () -> sink.index()
                            .map(index -> new Progress(Map.of(queue.name(), index), Map.of("index", index)))
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
                                CopyEnvironment.ofThisMachine()),
                        () -> Progress.UNKNOWN));
    }
}
