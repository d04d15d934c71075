package io.github.cassandralock.internal.startup;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates something on a thread of its own, and tries again after a pause until it succeeds or is closed. Thread-safe.
 *
 * @param <T> what is created
 */
final class RepeatedStart<T> {

    /** Between the end of the first try and the next one; each further pause is twice as long. */
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private sealed interface State<T> {

        /** No try has ended yet. */
        record First<T>() implements State<T> {}

        record Failed<T>(Throwable why) implements State<T> {}

        record Done<T>(T created) implements State<T> {}

        record Closed<T>() implements State<T> {}
    }

    private final Callable<T> creation;
    private final Consumer<T> unwanted;
    private final StartReport report;
    private final Duration longestPause;
    private final Thread thread;
    private final CompletableFuture<T> firstTry = new CompletableFuture<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicReference<State<T>> state = new AtomicReference<>(new State.First<>());
    private final AtomicBoolean begun = new AtomicBoolean();

    /**
     * @param threadName the thread ends with the success, or with {@link #close}
     * @param creation may block
     * @param unwanted receives what is created after {@link #close}
     * @param longestPause between two tries
     */
    RepeatedStart(
            String threadName, Callable<T> creation, Consumer<T> unwanted, StartReport report, Duration longestPause) {
        this.longestPause = longestPause;
        this.creation = creation;
        this.unwanted = unwanted;
        this.report = report;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    /** Begins with the first try. Further calls, and one after {@link #close}, do nothing. */
    void begin() {
        if (!(state.get() instanceof State.Closed) && !begun.getAndSet(true)) {
            thread.start();
        }
    }

    /** What was created; empty until then. */
    Optional<T> created() {
        return state.get() instanceof State.Done<T> done ? Optional.of(done.created()) : Optional.empty();
    }

    /**
     * What was created. If no try has ended yet, completes when the first one ends; if the last one has failed, the stage has
     * failed with its reason. Begins, if need be.
     */
    CompletionStage<T> current() {
        begin();
        State<T> now = state.get();
        if (now instanceof State.First) {
            return firstTry.minimalCompletionStage();
        }
        if (now instanceof State.Done<T> done) {
            return CompletableFuture.completedStage(done.created());
        }
        return CompletableFuture.failedStage(
                now instanceof State.Failed<T> failed ? failed.why() : new CancellationException("closed"));
    }

    private void run() {
        try {
            Duration pause = FIRST_PAUSE;
            while (!tryOnce() && !closing.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                Duration twice = pause.multipliedBy(2);
                pause = twice.compareTo(longestPause) < 0 ? twice : longestPause;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // close() does that; the thread ends
        }
    }

    private boolean tryOnce() throws InterruptedException {
        T created;
        try {
            created = creation.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | Error e) {
            failed(e);
            return false;
        }
        if (change(new State.Done<>(created))) {
            report.succeeded();
            firstTry.complete(created);
        } else {
            unwanted.accept(created);
        }
        return true;
    }

    private void failed(Throwable why) {
        if (change(new State.Failed<>(why))) {
            report.failed(why);
            firstTry.completeExceptionally(why);
        }
    }

    /** Returns false if it is closed. */
    private boolean change(State<T> next) {
        return !(state.getAndUpdate(now -> now instanceof State.Closed ? now : next) instanceof State.Closed);
    }

    /** Ends the tries, and returns what was created, which the caller has to close. Does not wait for a try under way. */
    @Nullable
    T close() {
        State<T> last = state.getAndSet(new State.Closed<>());
        closing.countDown();
        thread.interrupt();
        firstTry.completeExceptionally(new CancellationException("closed"));
        return last instanceof State.Done<T> done ? done.created() : null;
    }
}
