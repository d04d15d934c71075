package io.github.cassandralock.exactlyonce.copy;

import io.github.cassandralock.exactlyonce.time.Pauser;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that repeats steps until it is closed or fails permanently. Any number of copies in this and other processes may do
 * the same work. A copy may be killed at any time and leaves nothing undone: another copy, or the next start, continues. It runs
 * once. Thread-safe.
 *
 * @param <L> what receives its events
 */
public abstract class Copy<L extends CopyListener> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Copy.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);
    private static final int MOST_FRAMES = 50;

    private enum Stage {
        NEW,
        RUNNING,
        CLOSING
    }

    private final String kind;
    private final String name;
    private final Listeners<L> listeners;
    private final Thread thread;
    private final CopyEnvironment environment;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.NEW);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** When the present step began, by the ticker; empty while the thread pauses or does not run. */
    private volatile Optional<Long> stepBegan = Optional.empty();

    /** The last report of a long step to the listeners. */
    private volatile Optional<Thread> report = Optional.empty();

    /**
     * Creates a copy that is not started. Does no I/O.
     *
     * @param kind what it is a copy of, for the log: "handler", "sink" or "pump"
     * @param name of the handler, sink or pump, the same in all copies
     * @param copyName the name of this copy, for the name of its thread
     * @param listeners receive what this copy does, in this order, even if one of them throws
     * @param environment makes the thread, decides how it waits, and keeps the process alive
     */
    @SuppressWarnings("this-escape") // the thread does not run before the start
    protected Copy(String kind, String name, String copyName, List<L> listeners, CopyEnvironment environment) {
        this.kind = kind;
        this.name = name;
        this.listeners = new Listeners<>(listeners);
        this.environment = environment;
        thread = environment.threads().newThread(this::runUntilClosed);
        thread.setName("exactly-once-" + name + "-" + copyName);
    }

    /**
     * Repeats steps while {@link #beginStep} returns true before each of them. The interrupt alone is no sign of the end: code of
     * the user may have swallowed it.
     *
     * @throws InterruptedException when the thread is interrupted, which is how it ends
     */
    protected abstract void run() throws InterruptedException;

    /** The listeners that the copy was made with. */
    protected final Listeners<L> listeners() {
        return listeners;
    }

    private boolean isClosed() {
        return stage.get() == Stage.CLOSING;
    }

    /**
     * Begins a step, in the copy's thread.
     *
     * @return false if {@link #close} was called, so that no step begins
     */
    protected final boolean beginStep() {
        stepBegan = Optional.of(environment.ticker().readNanos());
        return !isClosed();
    }

    /**
     * How the thread waits. At a pause, a closed copy ends even if user code swallowed the interrupt. A pause is no part of a step.
     */
    protected final Pauser getPauser() {
        return length -> {
            if (isClosed()) {
                throw new InterruptedException("The copy is closed");
            }
            stepBegan = Optional.empty();
            environment.pauser().pause(length);
            stepBegan = Optional.of(environment.ticker().readNanos());
        };
    }

    Optional<Long> stepBegan() {
        return stepBegan;
    }

    /** Only the thread of the watch calls this. */
    void reportOverdue() {
        lasting().ifPresent(lasting -> reportOverdue(lasting, stack()));
    }

    private void reportOverdue(Duration lasting, List<StackTraceElement> stack) {
        log.warn(
                "The step of {} {} has taken {} so far: its code hangs, or a store does not answer. Its thread is{}",
                kind,
                name,
                StepWatch.text(lasting),
                StepWatch.text(stack));
        if (report.filter(Thread::isAlive).isPresent()) {
            log.warn(
                    "The listeners of {} {} do not receive this report: they have not returned from onStepOverdue."
                            + " They must not block",
                    kind,
                    name);
        } else {
            tellInItsOwnThread(listener -> listener.onStepOverdue(name, lasting, stack));
        }
    }

    /** A listener that hangs does not hold up the watch of all copies. */
    private void tellInItsOwnThread(Consumer<? super L> event) {
        Thread next = new Thread(() -> listeners.tell(event), thread.getName() + "-report");
        next.setDaemon(true);
        report = Optional.of(next);
        next.start();
    }

    private Optional<Duration> lasting() {
        return stepBegan.map(began -> Duration.ofNanos(environment.ticker().readNanos() - began));
    }

    private List<StackTraceElement> stack() {
        return Arrays.stream(thread.getStackTrace()).limit(MOST_FRAMES).toList();
    }

    /**
     * How long the present step has lasted, if that is at least the limit of the {@link StepWatch}. Does no I/O.
     *
     * @return empty if the step is shorter, or there is no watch
     */
    public final Optional<Duration> getOverdue() {
        return lasting()
                .filter(lasting -> environment
                        .watch()
                        .filter(present -> lasting.compareTo(present.getLimit()) >= 0)
                        .isPresent());
    }

    /**
     * Starts the thread. The environment keeps the process alive until the copy is closed. Does no I/O in the caller's thread.
     *
     * @throws IllegalStateException if the copy was started or closed before
     */
    public final void start() {
        environment.keepAlive().begin();
        if (!stage.compareAndSet(Stage.NEW, Stage.RUNNING)) {
            environment.keepAlive().end();
            throw new IllegalStateException(
                    "The copy " + thread.getName() + " was started or closed before: make a new one");
        }
        thread.start();
    }

    private void runUntilClosed() {
        if (isClosed()) {
            return;
        }
        UserCode.beginCopy(this::isClosed);
        try {
            environment.watch().ifPresent(present -> present.enter(this));
            beginStep();
            run();
        } catch (Throwable e) {
            if (isClosed()) {
                log.debug("The copy {} was closed in the middle of its work", thread.getName(), e);
            } else {
                fail(e);
            }
        } finally {
            UserCode.endCopy();
            stepBegan = Optional.empty();
            environment.watch().ifPresent(present -> present.leave(this));
        }
    }

    private void fail(Throwable cause) {
        failure.set(cause);
        log.error(
                "The copy {} ends: {}. Other copies go on if the cause is not theirs, too",
                thread.getName(),
                cause.getMessage(),
                cause);
        listeners.tell(listener -> listener.onFailed(name, cause));
    }

    /** Interrupts the thread and waits for its end, for at most 10 s. An interrupted caller stops waiting and stays interrupted. */
    @Override
    public final void close() {
        try {
            close(LONGEST_CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Interrupts the thread and waits for its end. A repeated call waits again. Another copy, or the next start, finishes what was
     * under way.
     *
     * @param longest how long to wait at most
     * @return whether the thread has ended. Always false if the copy's own thread calls this, from a function or listener of the
     *     user
     * @throws InterruptedException if the caller was interrupted while it waited; the thread of the copy is interrupted in any case
     */
    public final boolean close(Duration longest) throws InterruptedException {
        Stage before = stage.getAndSet(Stage.CLOSING);
        if (before == Stage.NEW) {
            return true;
        }
        try {
            return isEndedWithin(longest);
        } finally {
            if (before == Stage.RUNNING) {
                environment
                        .keepAlive()
                        .end(); // even if a function ignores the interrupt: it does not delay the end of the process
            }
        }
    }

    private boolean isEndedWithin(Duration longest) throws InterruptedException {
        thread.interrupt();
        report.filter(reporting -> !Thread.currentThread().equals(reporting)).ifPresent(Thread::interrupt);
        if (Thread.currentThread().equals(thread)) {
            return false;
        }
        TimeUnit.NANOSECONDS.timedJoin(thread, longest.toNanos());
        return !thread.isAlive();
    }

    /** Whether the copy was started and has not ended. */
    public final boolean isRunning() {
        return thread.isAlive();
    }

    /** Why the copy ended although nobody closed it. It does not begin again by itself, because the cause is permanent. */
    public final Optional<Throwable> getFailure() {
        return Optional.ofNullable(failure.get());
    }
}
