package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * What all parts of the algorithm share.
 *
 * @param ids new incarnations
 * @param wallClock gives the floor of fencing tokens, nothing else
 */
public record MajorityContext(
        MajoritySettings settings, Ticker ticker, Timers timers, Supplier<UUID> ids, WallClock wallClock) {

    /** The stage, which fails after this time if it has not completed by then. */
    <T> CompletableFuture<T> within(Duration limit, CompletionStage<T> stage) {
        CompletableFuture<T> bounded = new CompletableFuture<>();
        CompletableFuture<Void> timer = timers.afterOrFailed(limit);
        timer.whenComplete((done, ended) -> {
            if (!bounded.isDone()) {
                bounded.completeExceptionally(
                        ended == null ? new TimeoutException("no answer within " + limit.toMillis() + " ms") : ended);
            }
        });
        stage.whenComplete((value, failure) -> {
            if (failure != null) {
                bounded.completeExceptionally(failure);
            } else {
                bounded.complete(value);
            }
            timer.cancel(false);
        });
        return bounded;
    }
}
