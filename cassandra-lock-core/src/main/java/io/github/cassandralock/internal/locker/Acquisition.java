package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call for a lock, from the request to its only answer. If a grant arrives after the answer, because the call timed out or
 * was interrupted, or the locker was closed, the grant is released at once. So no lock stays held without an owner.
 */
final class Acquisition {

    private final LockRequest request;
    private final String lockId;
    private final Caller caller;
    private final Attempt attempt;
    private final Ticker ticker;
    private final ObservedCall call;
    private final long startedAt;
    private final @Nullable Throwable takenAt;
    private final CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>();

    /**
     * @param call is told the outcome when the caller is
     * @param takenAt where the call was made; null if that is not recorded
     */
    Acquisition(
            LockRequest request,
            Caller caller,
            Attempt attempt,
            Ticker ticker,
            ObservedCall call,
            @Nullable Throwable takenAt) {
        this.takenAt = takenAt;
        this.request = request;
        this.lockId = request.lockId();
        this.caller = caller;
        this.attempt = attempt;
        this.ticker = ticker;
        this.call = call;
        this.startedAt = ticker.nanos();
    }

    /**
     * Waits for the attempt's outcome.
     *
     * @param handle creates the handle of a grant; if it throws, the exception is the answer, and the grant is released
     */
    void begin(Function<Grant, LockHandle> handle) {
        attempt.outcome().whenComplete((grant, failure) -> answer(grant, failure, handle));
    }

    private void answer(
            @Nullable Optional<Grant> grant, @Nullable Throwable failure, Function<Grant, LockHandle> handle) {
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else if (grant == null || grant.isEmpty()) {
            answer.complete(Optional.empty());
        } else {
            granted(grant.get(), handle);
        }
    }

    private void granted(Grant grant, Function<Grant, LockHandle> handle) {
        LockHandle lock;
        try {
            lock = handle.apply(grant);
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
            grant.release();
            return;
        }
        if (!answer.complete(Optional.of(lock))) {
            lock.discard();
        }
    }

    LockRequest request() {
        return request;
    }

    String lockId() {
        return lockId;
    }

    Caller caller() {
        return caller;
    }

    ObservedCall call() {
        return call;
    }

    /** Where the call was made; null if that is not recorded. */
    @Nullable
    Throwable takenAt() {
        return takenAt;
    }

    Duration waited() {
        return Duration.ofNanos(ticker.nanos() - startedAt);
    }

    /** Completes with the lock; with empty if it was refused; exceptionally with a failure for {@link #explain}. */
    CompletionStage<Optional<LockHandle>> answer() {
        return answer;
    }

    /** Leaves the queue for this reason, unless there is an answer already. Returns whether it left the queue. */
    boolean giveUp(Throwable reason) {
        boolean first = answer.completeExceptionally(reason);
        if (first) {
            attempt.giveUp();
        }
        return first;
    }

    /** The caller wants no answer any more: leaves the queue, or gives the lock back. Does nothing the second time. */
    void renounce() {
        if (!giveUp(new CancellationException("completed by the caller"))) {
            answer.thenAccept(lock -> lock.ifPresent(LockHandle::discard));
        }
    }

    /** Waits for the answer without a limit. */
    Optional<LockHandle> await() {
        try {
            return told(answer.get());
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            throw explain(e);
        }
    }

    /** Waits for the answer, at most for the given time. */
    Optional<LockHandle> await(Duration timeout) {
        return await(timeout, timeout);
    }

    /**
     * Waits for the answer, at most for the time that is left.
     *
     * @param timeout the whole time of the call, for messages
     */
    Optional<LockHandle> await(Duration left, Duration timeout) {
        try {
            return told(answer.get(nanos(left), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return timedOut(timeout);
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            throw explain(e);
        }
    }

    /** Called on the caller's thread, or on the one that completes its future. */
    Optional<LockHandle> told(Optional<LockHandle> lock) {
        if (lock.isEmpty()) {
            call.refused();
        }
        return lock;
    }

    private Optional<LockHandle> timedOut(Duration timeout) {
        timeOut(timeout);
        return await();
    }

    /** Leaves the queue because the time-out has passed. The answer is then a {@link LockTimeoutException}. */
    void timeOut(Duration timeout) {
        Optional<Obstacle> obstacle = attempt.obstacle();
        giveUp(new LockTimeoutException(
                lockId,
                "Lock '" + lockId + "' was not granted within " + DurationText.of(timeout) + "; the queue was left. "
                        + obstacle.map(Acquisition::text)
                                .orElse(
                                        "Another holder has it, or Cassandra is slow: try again later or allow more time"),
                obstacle.map(Acquisition::cause).orElse(null)));
    }

    static String text(Obstacle obstacle) {
        if (obstacle instanceof Obstacle.StoreFails failing) {
            return "Cassandra does not answer, or refuses (" + failing.last().getMessage()
                    + "): check the cluster and try again";
        }
        Obstacle.Taken taken = (Obstacle.Taken) obstacle;
        return taken.who()
                        .map(who -> "It has been held or waited for by " + who)
                        .orElse("Another process or thread has been ahead")
                + " for at least " + DurationText.of(taken.atLeast())
                + ": try again later or allow more time";
    }

    static @Nullable Throwable cause(Obstacle obstacle) {
        return obstacle instanceof Obstacle.StoreFails failing ? failing.last() : null;
    }

    private LockInterruptedException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        LockInterruptedException interrupted = new LockInterruptedException(
                lockId,
                "The thread was interrupted after waiting " + DurationText.of(waited()) + " for lock '" + lockId
                        + "'; the queue was left and nothing is held",
                e);
        if (!giveUp(interrupted)) {
            answer.thenAccept(lock -> lock.ifPresent(LockHandle::discard));
        }
        call.failed(interrupted);
        return interrupted;
    }

    /** The exception that the caller receives for this failure. Called when the caller is about to receive it. */
    RuntimeException explain(Throwable failure) {
        RuntimeException explained = explained(failure);
        call.failed(explained);
        return explained;
    }

    private RuntimeException explained(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof LockException || cause instanceof IllegalStateException) {
            return (RuntimeException) cause;
        }
        Optional<RefusedRequestException> refusal = RefusedRequestException.in(cause);
        if (refusal.isPresent()) {
            return new LockStoreException(
                    lockId,
                    "Lock '" + lockId + "' could not be taken. Nothing is held. "
                            + refusal.get().getMessage(),
                    cause);
        }
        return new LockStoreException(
                lockId,
                "Lock '" + lockId + "' could not be taken: after " + DurationText.of(waited())
                        + " without success, the last request failed ("
                        + cause.getMessage() + "). Nothing is held; check the cluster and try again",
                cause);
    }

    static long nanos(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
