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
 * The objects that all parts of the algorithm share.
 *
 * @param ids new incarnations
 * @param wallClock supplies only the floor of fencing tokens
 */
public record MajorityContext(
        MajoritySettings settings, Ticker ticker, Timers timers, Supplier<UUID> ids, WallClock wallClock) {

    /** A copy of the stage, which fails if the stage has not completed within this time. */
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
