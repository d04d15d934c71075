package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.copy.Copy;
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
 * Runs one copy of a handler, a sink, a pump or a method at a time. Each start makes a new copy. The figures continue from copy to
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
        PUMP,

        /** A method with {@code @ExactlyOnce}. */
        METHOD;

        /** As operators read it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A copy that was made.
     *
     * @param details its progress by its last look, for people; does no I/O
     * @param lags reads how many messages wait for it
     */
    record Run(Copy<?> copy, Supplier<Map<String, Object>> details, LagReader lags) {}

    /** Reads how many messages of an input wait for a copy. Does I/O. Called by any thread. */
    interface LagReader {

        /** Empty if the position of the copy is unknown. */
        Optional<Long> read(String input) throws InterruptedException;
    }

    private final Kind kind;
    private final String name;
    private final List<String> inputs;
    private final Function<CopyFigures, Run> making;
    private final CopyFigures figures = new CopyFigures();
    private final AtomicReference<@Nullable Run> run = new AtomicReference<>();

    /**
     * @param inputs names of the queues whose lag counts
     * @param making a copy that was not started
     */
    Runner(Kind kind, String name, List<String> inputs, Function<CopyFigures, Run> making) {
        this.kind = kind;
        this.name = name;
        this.inputs = inputs;
        this.making = making;
    }

    /** What is run. */
    public Kind kind() {
        return kind;
    }

    /** The name of the handler, sink or pump; of a method, its queue. */
    public String name() {
        return name;
    }

    /** The names of the queues whose lag counts. */
    public List<String> inputs() {
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

    /** How many messages of an input wait. Empty if that is unknown, or there is no copy. Does I/O. */
    Optional<Long> readLag(String input) throws InterruptedException {
        Optional<Run> present = present();
        return present.isPresent() ? present.get().lags().read(input) : Optional.empty();
    }

    Map<String, Object> details() {
        return present().map(present -> present.details().get()).orElse(Map.of());
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
