package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs one copy of a handler, a sink or a pump at a time, a new one after each start. The figures go on from copy to
 * copy. Thread-safe; started and stopped by the lifecycle.
 */
public final class Runner {

    /** What is run. */
    public enum Kind {
        /** A handler. */
        HANDLER,

        /** A transactional sink. */
        SINK,

        /** A pump from an outbox. */
        PUMP;

        /** As operators read it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Kind kind;
    private final String name;
    private final List<MessageQueue> inputs;
    private final Function<CopyFigures, Copy> making;
    private final CopyFigures figures = new CopyFigures();
    private final AtomicReference<@Nullable Copy> copy = new AtomicReference<>();

    /**
     * @param inputs the queues whose lag counts
     * @param making a copy that was not started
     */
    Runner(Kind kind, String name, List<MessageQueue> inputs, Function<CopyFigures, Copy> making) {
        this.kind = kind;
        this.name = name;
        this.inputs = inputs;
        this.making = making;
    }

    /** What is run. */
    public Kind kind() {
        return kind;
    }

    /** The name of the handler, sink or pump. */
    public String name() {
        return name;
    }

    /** The queues whose lag counts. */
    public List<MessageQueue> inputs() {
        return inputs;
    }

    /** What the copies have done. */
    public CopyFigures figures() {
        return figures;
    }

    /** Whether a copy works now. */
    public boolean isRunning() {
        return present().map(Copy::isRunning).orElse(false);
    }

    Optional<Throwable> failure() {
        return present().flatMap(Copy::failure);
    }

    /** Empty if the copy does not know where it stands in the queue, or there is no copy. */
    Optional<Long> position(MessageQueue queue) {
        return present().map(running -> running.positions().get(queue.name()));
    }

    Map<String, Object> details() {
        return present().map(Copy::details).orElse(Map.of());
    }

    private Optional<Copy> present() {
        return Optional.ofNullable(copy.get());
    }

    void start() {
        Copy fresh = making.apply(figures);
        copy.set(fresh);
        fresh.start();
    }

    /** Interrupts the copy; returns whether it has ended within this time. */
    boolean stop(Duration longest) throws InterruptedException {
        Copy running = copy.get();
        boolean ended = running == null || running.close(longest);
        if (ended) {
            figures.ended();
        }
        return ended;
    }

    @Override
    public String toString() {
        return kind.text() + " " + name;
    }
}
