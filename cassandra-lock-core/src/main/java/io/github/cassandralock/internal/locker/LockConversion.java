package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.spi.Attempt;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call that converts a lock to another mode, from the request to its only answer. When a caller gives up, it is decided at once
 * whether the lock has the mode: if the lock has been converted in the meantime, that is the answer. Thread-safe.
 */
final class LockConversion {

    private final LockHandle lock;
    private final LockMode target;
    private final Attempt attempt;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Boolean> answer = new CompletableFuture<>();

    /** Why the caller has given up; null if it has not. */
    private volatile @Nullable RuntimeException givenUp;

    /** @param attempt of the algorithm, which has begun */
    LockConversion(LockHandle lock, LockMode target, Attempt attempt) {
        this.lock = lock;
        this.target = target;
        this.attempt = attempt;
    }

    void begin() {
        attempt.outcome().whenComplete((granted, failure) -> ended(granted != null && granted.isPresent(), failure));
    }

    private void ended(boolean converted, @Nullable Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        lock.conversionEnded();
        if (failure == null) {
            answer.complete(converted);
        } else {
            answer.completeExceptionally(explained(failure));
        }
    }

    /** Completes with whether the lock was converted; exceptionally with what the caller receives. */
    CompletionStage<Boolean> answer() {
        return answer;
    }

    /** Waits for the answer without a limit. */
    boolean await() {
        try {
            answer.get();
        } catch (InterruptedException e) {
            interrupted(e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
        return answered();
    }

    /** Waits for the answer, at most for the given time. */
    boolean await(Duration timeout) {
        try {
            answer.get(Acquisition.nanos(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            timeOut(timeout);
        } catch (InterruptedException e) {
            interrupted(e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
        return answered();
    }

    /** Gives up because the time-out has passed. */
    void timeOut(Duration timeout) {
        Optional<Obstacle> obstacle = attempt.obstacle();
        giveUp(new LockTimeoutException(
                lock.getLockId(),
                "Lock '" + lock.getLockId() + "' was not converted to mode " + target + " within "
                        + DurationText.of(timeout) + "; it is still held in mode " + lock.mode() + ". "
                        + advice(obstacle),
                obstacle.map(Acquisition::cause).orElse(null)));
    }

    private static String advice(Optional<Obstacle> obstacle) {
        String why = obstacle.map(Acquisition::text)
                .orElse("Others hold it in modes that are not compatible, or Cassandra is slow: try again later or"
                        + " allow more time");
        if (obstacle.filter(Obstacle.StoreFails.class::isInstance).isPresent()) {
            return why;
        }
        return why + ". If another holder converts it as well, each waits for the other: release it, and begin again";
    }

    /**
     * Ends the attempt for this reason, unless there is an answer already. Afterwards there is one: the lock has the mode, or never
     * will by this call.
     */
    void giveUp(RuntimeException reason) {
        if (!answer.isDone()) {
            givenUp = reason;
            attempt.giveUp();
            if (!answer.isDone()) {
                boolean converted = lock.mode() == target;
                ended(converted, converted ? null : new CancellationException("given up"));
            }
        }
    }

    /** The caller ends the call. Returns whether it has no other answer than that. */
    boolean cancel() {
        giveUp(new EndedByCaller());
        return answer.handle((converted, failure) -> isEndedByCaller(failure)).join();
    }

    /** Whether this is the failure of a call that {@link #cancel} has ended. */
    static boolean isEndedByCaller(@Nullable Throwable failure) {
        return failure instanceof EndedByCaller;
    }

    private static final class EndedByCaller extends CancellationException {

        private static final long serialVersionUID = 1L;
    }

    private void interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        giveUp(new LockInterruptedException(
                lock.getLockId(),
                "The thread was interrupted while lock '" + lock.getLockId() + "' was converted to mode " + target
                        + "; it is still held in mode " + lock.mode(),
                e));
    }

    /** To be called when there is an answer. */
    private boolean answered() {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw failure(e.getCause());
        }
    }

    private static RuntimeException failure(@Nullable Throwable cause) {
        return cause instanceof RuntimeException failure ? failure : new CompletionException(cause);
    }

    private RuntimeException explained(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        RuntimeException reason = givenUp;
        Optional<RuntimeException> over = lock.over();
        if (over.isPresent()) {
            return over.get();
        } else if (reason != null && cause instanceof CancellationException) {
            return reason;
        } else if (cause instanceof LockException || cause instanceof IllegalStateException) {
            return (RuntimeException) cause;
        }
        return new LockStoreException(
                lock.getLockId(),
                "Lock '" + lock.getLockId() + "' could not be converted to mode " + target
                        + ", because a request to Cassandra failed (" + cause.getMessage()
                        + "). It is still held in mode " + lock.mode() + "; check the cluster and try again",
                cause);
    }
}
