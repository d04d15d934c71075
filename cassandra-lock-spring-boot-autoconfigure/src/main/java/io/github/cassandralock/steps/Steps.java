package io.github.cassandralock.steps;

import io.github.cassandralock.spi.Ticker;
import io.github.cassandralock.spi.Timers;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs an attempt's steps one after the other without a thread, each started by the end of the one before; repeats a step
 * that fails, for as long as patience lasts; ends when the attempt is abandoned.
 *
 * <p>What the steps touch is handed from thread to thread safely, since they follow one another. Only {@link #abandon()}
 * may come from outside.
 */
public final class Steps {

    private final Executor executor;
    private final Ticker ticker;
    private final Timers timers;
    private final Duration retry;
    private final Duration patience;
    private final Consumer<Throwable> end;
    private volatile boolean abandoned;
    private volatile CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
    private @Nullable Long failingSince;

    /**
     * @param executor runs what follows an operation or a pause; one task at a time
     * @param retry the pause before a failed step is repeated
     * @param patience for how long steps may fail in a row; zero: the first failure ends it
     * @param end is told why no further step follows
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

    /** Runs one operation and goes on with its result. */
    public <T> void step(Supplier<? extends CompletionStage<T>> operation, Consumer<T> next) {
        if (abandoned) {
            endAbandoned();
            return;
        }
        begin(operation)
                .whenCompleteAsync(
                        (result, failure) -> {
                            if (abandoned) {
                                endAbandoned();
                            } else if (failure != null) {
                                failed(failure, () -> step(operation, next));
                            } else {
                                failingSince = null;
                                next.accept(result);
                            }
                        },
                        executor);
    }

    /** To a step it is all one whether an operation fails at once or later. */
    private static <T> CompletionStage<T> begin(Supplier<? extends CompletionStage<T>> operation) {
        try {
            return operation.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void failed(Throwable failure, Runnable again) {
        long now = ticker.nanos();
        long since = failingSince == null ? now : failingSince;
        failingSince = since;
        if (now - since >= patience.toNanos()) {
            end.accept(causeOf(failure));
        } else {
            pauseThen(retry, again);
        }
    }

    /** Goes on after a pause. */
    public void pauseThen(Duration duration, Runnable next) {
        CompletableFuture<Void> timer = timers.after(duration);
        pause = timer;
        if (abandoned) {
            timer.complete(null);
        }
        timer.whenCompleteAsync(
                (done, failure) -> {
                    if (abandoned) {
                        endAbandoned();
                    } else if (failure != null) {
                        end.accept(causeOf(failure));
                    } else {
                        next.run();
                    }
                },
                executor);
    }

    private void endAbandoned() {
        end.accept(new CancellationException("the caller gave up"));
    }

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
