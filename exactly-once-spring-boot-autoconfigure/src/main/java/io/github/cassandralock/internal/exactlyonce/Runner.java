package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one copy of a handler, a sink or a pump at a time, a new one after each start. The figures continue from copy to copy.
 * Thread-safe; started and stopped by the lifecycle.
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

    /** A copy that was made, and the supplier of its progress. */
    record Run(Copy<?> copy, Supplier<Progress> progress) {}

    private final Kind kind;
    private final String name;
    private final List<MessageQueue> inputs;
    private final Function<CopyFigures, Run> making;
    private final CopyFigures figures = new CopyFigures();
    private final AtomicReference<@Nullable Run> run = new AtomicReference<>();

    /**
     * @param inputs the queues whose lag counts
     * @param making a copy that was not started
     */
    Runner(Kind kind, String name, List<MessageQueue> inputs, Function<CopyFigures, Run> making) {
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
        return present().map(Run::copy).map(Copy::isRunning).orElse(false);
    }

    /** For how long the present step has lasted, if that is too long. */
    public Optional<Duration> overdue() {
        return present().map(Run::copy).flatMap(Copy::getOverdue);
    }

    Optional<Throwable> failure() {
        return present().map(Run::copy).flatMap(Copy::getFailure);
    }

    /** Empty if the copy's position in the queue is unknown, or there is no copy. */
    Optional<Long> position(MessageQueue queue) {
        return present().map(present -> present.progress().get().positions().get(queue.getName()));
    }

    Map<String, Object> details() {
        return present().map(present -> present.progress().get().details()).orElse(Map.of());
    }

    private Optional<Run> present() {
        return Optional.ofNullable(run.get());
    }

    void start() {
        Run fresh = making.apply(figures);
        run.set(fresh);
        fresh.copy().start();
    }

    /** Interrupts the copy; returns whether it has ended within this time. */
    boolean stop(Duration longest) throws InterruptedException {
        Run running = run.get();
        boolean ended = running == null || running.copy().close(longest);
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
