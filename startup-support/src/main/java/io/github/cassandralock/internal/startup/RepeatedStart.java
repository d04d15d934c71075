package io.github.cassandralock.internal.startup;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates something on a thread of its own, and tries again after a pause until it succeeds or is closed. A try that fails because
 * a {@link ConnectingSession} is not open is repeated when the session opens. Until then, the session's reason counts. Thread-safe.
 *
 * @param <T> what is created
 */
public final class RepeatedStart<T> {

    private sealed interface State<T> {

        /** No try has ended yet. */
        record First<T>() implements State<T> {}

        /** A try is repeated when the session opens. */
        record Waiting<T>(RepeatedStart<?> session) implements State<T> {}

        /** @param stage the last one that the try has reached */
        record Failed<T>(NotStartedException why, StartStage stage) implements State<T> {}

        /** A try has come farther than all earlier ones. */
        record Advanced<T>(StartStage stage) implements State<T> {}

        record Done<T>(T created) implements State<T> {}

        record Closed<T>() implements State<T> {}
    }

    /** The longest pause between two tries, if none is configured. */
    public static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Creation<T> creation;
    private final Consumer<T> unwanted;
    private final StartReport report;
    private final StartPauses pauses;
    private final Thread thread;
    private final CompletableFuture<T> firstTry = new CompletableFuture<>();
    private final CompletableFuture<T> success = new CompletableFuture<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicReference<State<T>> state = new AtomicReference<>(new State.First<>());
    private final AtomicBoolean begun = new AtomicBoolean();

    /** The stage of the present try; for the thread of the start. */
    private StartStage stage = StartStage.CONNECTING;

    /** An open session, for which no later failure waits again. For the thread of the start. */
    private @Nullable RepeatedStart<?> awaited;

    /**
     * @param threadName the thread ends with the success, or with {@link #close}
     * @param unwanted receives what is created after {@link #close}
     * @param longestPause between two tries
     */
    public RepeatedStart(
            String threadName, Creation<T> creation, Consumer<T> unwanted, StartReport report, Duration longestPause) {
        this.pauses =
                new StartPauses(longestPause, () -> ThreadLocalRandom.current().nextLong());
        this.creation = creation;
        this.unwanted = unwanted;
        this.report = report;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    /** Begins the first try. Further calls, or a call after {@link #close}, do nothing. */
    public void begin() {
        if (!(state.get() instanceof State.Closed) && !begun.getAndSet(true)) {
            thread.start();
        }
    }

    /** What was created; empty until then. */
    public Optional<T> created() {
        return state.get() instanceof State.Done<T> done ? Optional.of(done.created()) : Optional.empty();
    }

    /**
     * Returns what was created. If no try has ended yet, the stage completes when the first one ends. If nothing was created, it
     * fails with a {@link NotStartedException}. Begins the first try, if need be.
     */
    public CompletionStage<T> current() {
        begin();
        if (!firstTry.isDone()) {
            return firstTry.minimalCompletionStage();
        }
        State<T> now = state.get();
        return now instanceof State.Done<T> done
                ? CompletableFuture.completedStage(done.created())
                : CompletableFuture.failedStage(problem(now));
    }

    /** Returns why it is not started; empty if it is started. */
    public Optional<NotStartedException> problem() {
        State<T> now = state.get();
        return now instanceof State.Done ? Optional.empty() : Optional.of(problem(now));
    }

    private static NotStartedException problem(@Nullable State<?> now) {
        if (now instanceof State.Waiting<?> waiting) {
            return waiting.session().problem().orElseGet(() -> underWay(StartStage.TABLES));
        }
        if (now instanceof State.Failed<?> failed) {
            return failed.why();
        }
        if (now instanceof State.Advanced<?> advanced) {
            return underWay(advanced.stage());
        }
        return now instanceof State.Closed ? NotStartedException.closed() : underWay(StartStage.CONNECTING);
    }

    private static NotStartedException underWay(StartStage stage) {
        return new NotStartedException(stage.text(), null);
    }

    /** Blocks until it is created or closed. */
    void await() throws InterruptedException {
        try {
            success.get();
        } catch (ExecutionException | CancellationException e) {
            return; // closed
        }
    }

    private void run() {
        try {
            while (!tryOnce()) {
                if (state.get() instanceof State.Waiting<T> waiting) {
                    awaited = waiting.session();
                    awaited.await();
                } else if (closing.await(pauses.next().toNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // interrupted by close(); the thread ends
        }
    }

    private boolean tryOnce() throws InterruptedException {
        T created;
        stage = StartStage.CONNECTING;
        try {
            created = creation.create(this::reached);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | Error e) {
            NotOpenMark.sourceOf(e)
                    .filter(session -> session != awaited)
                    .ifPresentOrElse(this::waitFor, () -> failed(e));
            return false;
        }
        succeeded(created);
        return true;
    }

    /**
     * Ignores a stage that the last failed try has reached. In the first try, ignores a stage that needs no answer of the store.
     */
    private void reached(StartStage next) {
        stage = next;
        State<T> now = state.get();
        boolean isNews = now instanceof State.Failed<T> failed
                ? next.compareTo(failed.stage()) > 0
                : !(now instanceof State.First) || next.compareTo(StartStage.TABLES) > 0;
        if (isNews && change(new State.Advanced<>(next)) && firstTry.isDone()) {
            report.reached(next);
        }
    }

    private void waitFor(RepeatedStart<?> session) {
        if (change(new State.Waiting<>(session))) {
            session.current().whenComplete((opened, refusal) -> {
                if (refusal != null) {
                    session.problem().ifPresent(firstTry::completeExceptionally);
                }
            });
        }
    }

    private void failed(Throwable why) {
        if (state.get() instanceof State.Closed) {
            return;
        }
        NotStartedException problem = new NotStartedException(report.failed(why), why);
        if (change(new State.Failed<>(problem, stage))) {
            firstTry.completeExceptionally(problem);
        }
    }

    private void succeeded(T created) {
        boolean late = firstTry.isDone();
        if (change(new State.Done<>(created))) {
            if (late) {
                report.succeeded();
            }
            firstTry.complete(created);
            success.complete(created);
        } else {
            unwanted.accept(created);
        }
    }

    /** Returns false if it is closed. */
    private boolean change(State<T> next) {
        return !(state.getAndUpdate(now -> now instanceof State.Closed ? now : next) instanceof State.Closed);
    }

    /** Ends the tries, and returns what was created, which the caller has to close. Does not wait for a try under way. */
    public @Nullable T close() {
        State<T> last = state.getAndSet(new State.Closed<>());
        closing.countDown();
        thread.interrupt();
        firstTry.completeExceptionally(NotStartedException.closed());
        success.cancel(false);
        return last instanceof State.Done<T> done ? done.created() : null;
    }
}
