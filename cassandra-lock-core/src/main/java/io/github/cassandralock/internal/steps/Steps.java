package io.github.cassandralock.internal.steps;

import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of an attempt one after the other, without a thread. The end of a step starts the next step. A step that fails
 * is repeated until the patience is over. The steps end when the attempt is abandoned.
 *
 * <p>If no further step follows, the attempt always receives the reason. That holds even if a step throws, a timer fails, or the
 * executor refuses a task. A failure that repetition cannot change is not repeated: an {@link Error}, or a failure with a {@link
 * RefusedRequestException} among its causes.
 *
 * <p>Each step sees what the steps before it wrote, because they follow one another. Only {@link #abandon()}, {@link #wake()} and
 * {@link #lastFailure()} may be called outside the steps.
 */
public class Steps {

    private static final Logger log = LoggerFactory.getLogger(Steps.class);

    private final Executor executor;
    private final Ticker ticker;
    private final Timers timers;
    private final Duration retry;
    private final Duration patience;
    private final Consumer<Throwable> end;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean abandoned;
    private volatile CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
    private volatile @Nullable Failing failing;

    /** Steps have failed since this time without a success, the last one with this failure. */
    private record Failing(long since, Throwable last) {}

    /**
     * @param executor runs, one at a time, the tasks that follow an operation or a pause
     * @param retry the pause before a failed step is repeated
     * @param patience how long steps may fail without a success in between; zero: the first failure ends the steps
     * @param end receives, at most once, the reason why no further step follows
     */
    public Steps(
            Executor executor,
            Ticker ticker,
            Timers timers,
            Duration retry,
            Duration patience,
            Consumer<Throwable> end) {
        this.executor = executor;
        this.ticker = ticker;
        this.timers = timers;
        this.retry = retry;
        this.patience = patience;
        this.end = end;
    }

    /** Ends the steps after the current one. A pause ends at once. */
    public void abandon() {
        abandoned = true;
        pause.complete(null);
    }

    /** Ends a pause, if one is under way. */
    public void wake() {
        pause.complete(null);
    }

    /** The failure of the last step; empty if it succeeded. May be called from any thread. */
    public Optional<Throwable> lastFailure() {
        return Optional.ofNullable(failing).map(Failing::last);
    }

    /** Runs one operation, then the next step with its result. */
    public <T> void step(Supplier<? extends CompletionStage<T>> operation, Consumer<T> next) {
        runUnlessEnded(() -> follow(Operation.begin(operation), (result, failure) -> {
            if (failure != null) {
                failed(Operation.causeOf(failure), () -> step(operation, next));
            } else {
                failing = null;
                next.accept(result);
            }
        }));
    }

    /** Runs the next step after a pause. */
    public void pauseThen(Duration duration, Runnable next) {
        runUnlessEnded(() -> follow(begin(duration), (done, failure) -> {
            if (failure != null) {
                end(Operation.causeOf(failure));
            } else {
                next.run();
            }
        }));
    }

    private CompletionStage<Void> begin(Duration duration) {
        CompletableFuture<Void> timer = timers.after(duration);
        pause = timer;
        if (abandoned) {
            timer.complete(null);
        }
        return timer;
    }

    /** The task catches its own failures, so the resulting stage fails only if the executor refuses the task. */
    private <T> void follow(CompletionStage<T> stage, BiConsumer<T, @Nullable Throwable> next) {
        stage.<@Nullable Void>handleAsync(
                        (result, failure) -> {
                            runUnlessEnded(() -> next.accept(result, failure));
                            return null;
                        },
                        executor)
                .exceptionally(refusal -> {
                    end(Operation.causeOf(refusal));
                    return null;
                });
    }

    /** Catches exceptions of the task. Otherwise the executor would ignore them, and the attempt would never end. */
    private void runUnlessEnded(Runnable task) {
        if (ended.get()) {
            return;
        }
        if (abandoned) {
            end(new CancellationException("the caller gave up"));
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A step failed with an unexpected exception; its attempt ends", e);
            end(e);
        }
    }

    private void failed(Throwable failure, Runnable again) {
        long now = ticker.nanos();
        Failing before = failing;
        long since = before == null ? now : before.since();
        failing = new Failing(since, failure);
        if (isFinal(failure) || now - since >= patience.toNanos()) {
            end(failure);
        } else {
            pauseThen(retry, again);
        }
    }

    private static boolean isFinal(Throwable failure) {
        return failure instanceof Error || RefusedRequestException.in(failure).isPresent();
    }

    private void end(Throwable reason) {
        if (ended.compareAndSet(false, true)) {
            end.accept(reason);
        }
    }
}
