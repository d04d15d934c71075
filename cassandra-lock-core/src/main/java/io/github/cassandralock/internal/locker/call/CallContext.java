package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.locker.observe.LockerWarnings;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The objects that all calls of a locker share.
 *
 * @param lease the limit of waits for a release, a value or a token
 * @param timers for time-outs and repeated checks
 * @param threads complete the futures of asynchronous calls
 * @param waits refuses calls that wait on threads that must not
 */
public record CallContext(
        Duration lease, Ticker ticker, Timers timers, CallbackThreads threads, LockerWarnings warnings, Waits waits) {

    /** Waits for a release for at most a lease, and then logs a warning. Returns at once on a thread that must not wait. */
    public void await(CompletableFuture<Void> release, Supplier<String> what) {
        if (release.isDone() || !waits.areAllowedForRelease()) {
            return;
        }
        try (CallbackThreads.Replacement meanwhile = CallbackThreads.replaceThisThreadOfLosses()) {
            release.get(lease.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            warnings.notReleased()
                    .warn("The release of " + what.get() + " was not acknowledged within " + DurationText.of(lease)
                            + "; it is repeated in the background, and what was locked may stay taken until then");
        }
    }

    /**
     * Completes on a callback thread, never exceptionally.
     *
     * @param release goes on if the caller ends the future
     * @param lockId for messages
     */
    public CompletableFuture<Void> releasedOnCallbackThread(CompletableFuture<Void> release, String lockId) {
        return onCallbackThread(release.exceptionally(failure -> null), lockId);
    }

    /**
     * Completes on a callback thread. On a thread of the driver, actions that follow could delay the renewal of a lease.
     *
     * @param answer goes on if the caller ends the future
     * @param lockId for messages
     */
    public <T> CompletableFuture<T> onCallbackThread(CompletableFuture<T> answer, String lockId) {
        CallFuture<T> future = new CallFuture<>(lockId, waits, null) {
            @Override
            boolean endedByCaller(BooleanSupplier completion) {
                return completion.getAsBoolean();
            }
        };
        answer.whenCompleteAsync(
                (value, failure) -> {
                    if (failure == null) {
                        future.answer(value);
                    } else {
                        future.fail(failure);
                    }
                },
                threads.callbacks());
        return future;
    }
}
