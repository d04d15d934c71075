package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
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
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call that waits for an attempt of the algorithm, from the request to its only answer. The caller waits for the answer on its
 * thread, or receives it by a future. Thread-safe.
 *
 * @param <T> the answer if the call does not fail
 */
public abstract sealed class PendingCall<T> permits AcquireCall, ConversionCall {

    /** The time-out of calls without one. */
    public static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final String lockId;
    private final Attempt attempt;
    private final boolean waits;
    private final CallContext context;
    private final long startedAt;

    /** No thread waits for it. A thread that waits for a future may run its dependent actions at any later time. */
    private final CompletableFuture<T> decision = new CompletableFuture<>();

    /** Completes after everything that follows the decision. */
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    /** Whether a warning about the long wait was logged. Used by one check at a time. */
    private boolean warned;

    /**
     * @param attempt of the algorithm, which has begun
     * @param waits whether the call waits for others
     */
    PendingCall(String lockId, Attempt attempt, boolean waits, CallContext context) {
        this.lockId = lockId;
        this.attempt = attempt;
        this.waits = waits;
        this.context = context;
        this.startedAt = context.ticker().nanos();
    }

    public final String lockId() {
        return lockId;
    }

    /** The mode in which the lock is requested. */
    abstract LockMode mode();

    /** The caller, for messages. */
    abstract String who();

    /** Whether the call converts this lock. */
    boolean converts(GrantedLock lock) {
        return false;
    }

    final Attempt attempt() {
        return attempt;
    }

    final long startedAt() {
        return startedAt;
    }

    public final Duration waited() {
        return Duration.ofNanos(context.ticker().nanos() - startedAt);
    }

    final boolean isWarned() {
        return warned;
    }

    final void setWarned() {
        warned = true;
    }

    /** Completes with the answer before the caller receives it. Actions that follow must neither block nor change threads. */
    public final CompletionStage<T> decision() {
        return decision;
    }

    /** Completes with the answer, or exceptionally with the failure that the caller receives. */
    final CompletionStage<T> answer() {
        return answer;
    }

    final boolean isDecided() {
        return decision.isDone();
    }

    /** Sets this answer. Returns false if there is another. */
    final boolean succeed(T result) {
        return decision.complete(result) && answer.complete(result);
    }

    /** Sets this failure as the answer. Returns false if there is another answer. */
    final boolean fail(Throwable failure) {
        RuntimeException explained = explained(innermost(failure));
        return decision.completeExceptionally(explained) && answer.completeExceptionally(explained);
    }

    /** Returns what the call returns, or empty if others had the lock until the time was over. */
    public static <R> Optional<R> emptyIfLate(Supplier<Optional<R>> call) {
        try {
            return call.get();
        } catch (LockTimeoutException e) {
            if (CallFuture.isTaken(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Waits for the answer, for at most the time that is left.
     *
     * @param whole the whole time of the call, for messages
     */
    public final T await(Duration left, Duration whole) {
        try (CallbackThreads.Replacement meanwhile = beforeWaiting()) {
            if (whole.equals(FOREVER)) {
                answer.get();
            } else {
                answer.get(TimeUnit.NANOSECONDS.convert(left), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            timeOut(whole);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            endByInterrupt(e);
        } catch (ExecutionException | CancellationException e) {
            // Thrown below.
        }
        return answerForCaller();
    }

    /** A holder may release the lock in an action on a callback thread. No other answer needs such a thread. */
    private CallbackThreads.Replacement beforeWaiting() {
        if (answer.isDone()) {
            return CallbackThreads.Replacement.NONE;
        }
        return waits ? CallbackThreads.replaceThisThread() : CallbackThreads.replaceThisThreadOfLosses();
    }

    /** Returns or throws the present answer, just before the caller receives it. */
    final T answerForCaller() {
        try {
            T result = answer.join();
            beforeReturn(result);
            return result;
        } catch (CompletionException | CancellationException e) {
            RuntimeException failure = e.getCause() instanceof RuntimeException cause ? cause : e;
            beforeThrow(failure);
            throw failure;
        }
    }

    /** Called before the caller receives this result. */
    void beforeReturn(T result) {}

    /** Called before the caller receives this failure. */
    void beforeThrow(RuntimeException failure) {}

    /** Ends the call when the time is over. The rest of the time begins now. */
    final void timeOutAfter(Duration left, Duration whole) {
        if (!whole.equals(FOREVER)) {
            CompletableFuture<Void> timer = context.timers().after(left);
            timer.thenRun(() -> timeOut(whole));
            answer.whenComplete((result, failure) -> timer.cancel(false));
        }
    }

    /**
     * Returns the future of an asynchronous call. A callback thread completes it.
     *
     * @param result converts the answer for the caller; may throw what the caller receives
     * @param late what the caller receives if others had the lock until the time was over; null for the exception
     */
    public final <R> CompletableFuture<R> future(Duration timeout, Function<T, R> result, @Nullable R late) {
        timeOutAfter(timeout, timeout);
        CallFuture<R> future = new CallFuture<>(lockId, context.waits(), late) {
            @Override
            boolean endedByCaller(BooleanSupplier completion) {
                return PendingCall.this.endForCaller(this, completion, result);
            }
        };
        answer.whenCompleteAsync(
                (value, failure) -> complete(future, result), context.threads().callbacks());
        return future;
    }

    /**
     * Called when the caller ends the future of the call.
     *
     * @param completion ends the future as the caller requires; returns whether it has
     * @return whether the future has ended as the caller requires
     */
    abstract <R> boolean endForCaller(CallFuture<R> future, BooleanSupplier completion, Function<T, R> result);

    /** Completes the future with the answer of the call. */
    final <R> void complete(CallFuture<R> future, Function<T, R> result) {
        if (future.isDone()) {
            cancelled();
            return;
        }
        try {
            future.answer(result.apply(answerForCaller()));
        } catch (EndedByCaller e) {
            // The code that ends the call completes its future.
        } catch (RuntimeException | Error e) {
            future.fail(e);
        }
    }

    /** Called when the caller has ended the call, and receives nothing else. */
    void cancelled() {}

    private void timeOut(Duration whole) {
        if (!isDecided()) {
            Optional<Obstacle> obstacle = attempt.getObstacle();
            end(new LockTimeoutException(
                    lockId,
                    notWithin(DurationText.of(whole)) + advice(obstacle),
                    obstacle.map(PendingCall::cause).orElse(null)));
        }
    }

    /** Ends the call for this reason, unless it has an answer. */
    abstract void end(RuntimeException reason);

    /** Ends the call because the thread was interrupted, so that it has an answer; or throws the reason. */
    abstract void endByInterrupt(InterruptedException cause);

    /** The beginning of a message: the call did not succeed within a time. */
    abstract String notWithin(String time);

    /** The end of a message: what has prevented success, and what to do. */
    abstract String advice(Optional<Obstacle> obstacle);

    static String text(Obstacle obstacle) {
        if (obstacle instanceof Obstacle.StoreFails failing) {
            return "Cassandra cannot be used now (" + failing.last().getMessage()
                    + "): check the cluster and try again";
        }
        Obstacle.Taken taken = (Obstacle.Taken) obstacle;
        return taken.who()
                        .map(who -> "It has been held or waited for by " + who)
                        .orElse("Another process or thread has been ahead")
                + " for at least " + DurationText.of(taken.atLeast())
                + ": try again later or allow more time";
    }

    private static @Nullable Throwable cause(Obstacle obstacle) {
        return obstacle instanceof Obstacle.StoreFails failing ? failing.last() : null;
    }

    /** The exception that the caller receives for this failure. */
    RuntimeException explained(Throwable cause) {
        return cause instanceof LockException
                        || cause instanceof IllegalStateException
                        || cause instanceof UnsupportedOperationException
                ? (RuntimeException) cause
                : storeFailed(cause);
    }

    public static Throwable innermost(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The exception for a request to Cassandra that failed. */
    abstract RuntimeException storeFailed(Throwable cause);

    /** The answer of a call whose caller has ended its future. */
    static final class EndedByCaller extends CancellationException {

        private static final long serialVersionUID = 1L;

        EndedByCaller() {
            super("completed by the caller");
        }
    }
}
