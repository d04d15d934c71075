package io.github.cassandralock.internal.steps;

import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 * Runs an attempt's steps one after the other without a thread, each started by the end of the one before; repeats a step
 * that fails, for as long as patience lasts; ends when the attempt is abandoned.
 *
 * <p>An attempt that goes no further is always told why: a step that throws, timers that fail and an executor that refuses
 * a task end it, too. A failure that repetition cannot mend is not repeated: an {@link Error}, or a
 * {@link RefusedRequestException} among the causes.
 *
 * <p>What the steps touch is handed from thread to thread safely, since they follow one another. Only {@link #abandon()}
 * and {@link #wake()} may come from outside.
 */
public final class Steps {

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

    /** Steps have failed in a row since then, the last one with this. */
    private record Failing(long since, Throwable last) {}

    /**
     * @param executor runs what follows an operation or a pause; one task at a time
     * @param retry the pause before a failed step is repeated
     * @param patience for how long steps may fail in a row; zero: the first failure ends it
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

    /** No further step follows the one under way; a pause ends at once. */
    public void abandon() {
        abandoned = true;
        pause.complete(null);
    }

    /** Ends a pause, if one is under way. */
    public void wake() {
        pause.complete(null);
    }

    /** What the last step failed with, unless it succeeded. May be asked by any thread. */
    public Optional<Throwable> lastFailure() {
        return Optional.ofNullable(failing).map(Failing::last);
    }

    /** Runs one operation, then the next step with its result. */
    public <T> void step(Supplier<? extends CompletionStage<T>> operation, Consumer<T> next) {
        goOn(() -> follow(begin(operation), (result, failure) -> {
            if (failure != null) {
                failed(causeOf(failure), () -> step(operation, next));
            } else {
                failing = null;
                next.accept(result);
            }
        }));
    }

    /** Goes on after a pause. */
    public void pauseThen(Duration duration, Runnable next) {
        goOn(() -> follow(begin(duration), (done, failure) -> {
            if (failure != null) {
                end(causeOf(failure));
            } else {
                next.run();
            }
        }));
    }

    /** An operation that throws at once is treated as one that fails later. */
    private static <T> CompletionStage<T> begin(Supplier<? extends CompletionStage<T>> operation) {
        try {
            return operation.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletionStage<Void> begin(Duration duration) {
        CompletableFuture<Void> timer = timers.after(duration);
        pause = timer;
        if (abandoned) {
            timer.complete(null);
        }
        return timer;
    }

    /** What goes wrong in the task is the task's own affair, so the stage that it makes fails only if there is no task. */
    private <T> void follow(CompletionStage<T> stage, BiConsumer<T, @Nullable Throwable> next) {
        stage.<@Nullable Void>handleAsync(
                        (result, failure) -> {
                            goOn(() -> next.accept(result, failure));
                            return null;
                        },
                        executor)
                .exceptionally(refusal -> {
                    end(causeOf(refusal));
                    return null;
                });
    }

    /** The executor would swallow an exception of the task, and the attempt would wait for ever. */
    private void goOn(Runnable task) {
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
            log.error("A step failed in a way that it should not; its attempt ends", e);
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

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
