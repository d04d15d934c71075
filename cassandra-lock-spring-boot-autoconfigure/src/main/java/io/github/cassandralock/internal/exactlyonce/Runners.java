package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerPosition;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
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
            Closing closing = new Closing();
            HandlerCopy copy = new HandlerCopy(definition, copyName, figures, closing.environment());
            return new HandlerRun(copy, closing);
        });
    }

    /** Runs a transactional sink. */
    public Runner of(SinkDefinition definition) {
        return new Runner(Runner.Kind.SINK, definition.name(), List.of(definition.queue()), figures -> {
            Closing closing = new Closing();
            OpenedSink sink = new OpenedSink(definition.opening());
            SinkCopy copy = new SinkCopy(
                    definition.name(), definition.queue(), sink, pauses, copyName, figures, closing.environment());
            return new SinkRun(copy, closing, sink, definition.queue());
        });
    }

    /** Runs a pump. */
    public Runner of(PumpDefinition definition) {
        return new Runner(Runner.Kind.PUMP, definition.name(), List.of(), figures -> {
            Closing closing = new Closing();
            OutboxPump pump = new OutboxPump(
                    definition.name(),
                    new OpenedOutbox(definition.opening()),
                    definition.queue(),
                    pauses,
                    copyName,
                    closing.environment());
            return new PumpRun(pump, closing);
        });
    }

    private record HandlerRun(HandlerCopy copy, Closing closing) implements Copy {

        @Override
        public void start() {
            copy.start();
        }

        @Override
        public boolean close(Duration longest) throws InterruptedException {
            closing.begin();
            return copy.close(longest);
        }

        @Override
        public boolean isRunning() {
            return copy.isRunning();
        }

        @Override
        public Optional<Throwable> failure() {
            return copy.failure();
        }

        @Override
        public Map<String, Long> positions() {
            return copy.position().map(HandlerPosition::indexes).orElse(Map.of());
        }

        @Override
        public Map<String, Object> details() {
            return copy.position()
                    .map(position -> Map.<String, Object>of("step", position.step(), "phase", position.phase()))
                    .orElse(Map.of());
        }
    }

    private record SinkRun(SinkCopy copy, Closing closing, OpenedSink sink, MessageQueue queue) implements Copy {

        @Override
        public void start() {
            copy.start();
        }

        @Override
        public boolean close(Duration longest) throws InterruptedException {
            closing.begin();
            return copy.close(longest);
        }

        @Override
        public boolean isRunning() {
            return copy.isRunning();
        }

        @Override
        public Optional<Throwable> failure() {
            return copy.failure();
        }

        @Override
        public Map<String, Long> positions() {
            return sink.index().map(index -> Map.of(queue.name(), index)).orElse(Map.of());
        }

        @Override
        public Map<String, Object> details() {
            return sink.index()
                    .map(index -> Map.<String, Object>of("index", index))
                    .orElse(Map.of());
        }
    }

    private record PumpRun(OutboxPump pump, Closing closing) implements Copy {

        @Override
        public void start() {
            pump.start();
        }

        @Override
        public boolean close(Duration longest) throws InterruptedException {
            closing.begin();
            return pump.close(longest);
        }

        @Override
        public boolean isRunning() {
            return pump.isRunning();
        }

        @Override
        public Optional<Throwable> failure() {
            return pump.failure();
        }

        @Override
        public Map<String, Long> positions() {
            return Map.of();
        }

        @Override
        public Map<String, Object> details() {
            return Map.of();
        }
    }
}
