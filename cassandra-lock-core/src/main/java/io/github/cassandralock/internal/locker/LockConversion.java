package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.internal.text.DurationText;
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
import org.jspecify.annotations.Nullable;

/**
 * One call that converts a lock to another mode, from the request to its only answer. A caller that gives up waits for what has
 * become of the attempt: if the lock has been converted in the meantime, that is the answer. Thread-safe.
 */
final class LockConversion {

    private final LockHandle lock;
    private final LockMode target;
    private final Attempt attempt;
    private final Duration lease;
    private final CompletableFuture<Boolean> answer = new CompletableFuture<>();

    /** Why the caller has given up; null if it has not. */
    private volatile @Nullable RuntimeException givenUp;

    /**
     * @param attempt of the algorithm, which has begun
     * @param lease the limit of waits for the end of an attempt that was given up
     */
    LockConversion(LockHandle lock, LockMode target, Attempt attempt, Duration lease) {
        this.lock = lock;
        this.target = target;
        this.attempt = attempt;
        this.lease = lease;
    }

    void begin() {
        attempt.outcome().whenComplete(this::ended);
    }

    private void ended(@Nullable Optional<Grant> granted, @Nullable Throwable failure) {
        boolean converted = granted != null && granted.isPresent();
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
            return answer.get();
        } catch (InterruptedException e) {
            return interrupted(e);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /** Waits for the answer, at most for the given time. */
    boolean await(Duration timeout) {
        try {
            return answer.get(Acquisition.nanos(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return settled(timeOut(timeout));
        } catch (InterruptedException e) {
            return interrupted(e);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /** Gives up because the time-out has passed; returns what the caller receives. */
    RuntimeException timeOut(Duration timeout) {
        Optional<Obstacle> obstacle = attempt.obstacle();
        return giveUp(new LockTimeoutException(
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

    /** Ends the attempt for this reason, unless there is an answer already. Returns the reason. */
    RuntimeException giveUp(RuntimeException reason) {
        if (!answer.isDone()) {
            givenUp = reason;
            attempt.giveUp();
        }
        return reason;
    }

    private boolean interrupted(InterruptedException e) {
        RuntimeException reason = giveUp(new LockInterruptedException(
                lock.getLockId(),
                "The thread was interrupted while lock '" + lock.getLockId() + "' was converted to mode " + target
                        + "; it is still held in mode " + lock.mode(),
                e));
        try {
            return settled(reason);
        } finally {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * An attempt that was given up ends at once; the limit is for algorithms of applications.
     *
     * @param reason why it was given up
     */
    private boolean settled(RuntimeException reason) {
        try {
            return answer.get(lease.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw reason;
        } catch (TimeoutException e) {
            throw reason;
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        return e.getCause() instanceof RuntimeException failure ? failure : new CompletionException(e.getCause());
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
