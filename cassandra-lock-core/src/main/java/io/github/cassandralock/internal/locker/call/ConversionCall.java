package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call that converts a lock to another mode. Its answer is whether the lock was converted. When the call is ended, its answer
 * is decided at once: a lock that has been converted meanwhile stays converted.
 */
public final class ConversionCall extends PendingCall<Boolean> {

    private final GrantedLock lock;
    private final LockMode target;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Why the call was ended; null if it was not. */
    private volatile @Nullable RuntimeException reason;

    private ConversionCall(GrantedLock lock, LockMode target, Attempt attempt, boolean waits, CallContext context) {
        super(lock.lockId(), attempt, waits, context);
        this.lock = lock;
        this.target = target;
    }

    /**
     * Begins a conversion.
     *
     * @param waits whether the call waits for others
     * @throws IllegalStateException if another conversion of the lock is under way
     */
    public static ConversionCall begin(GrantedLock lock, LockMode target, boolean waits, CallContext context) {
        lock.reserveConversion(target);
        ConversionCall call;
        try {
            call = new ConversionCall(lock, target, attempt(lock, target, waits), waits, context);
        } catch (RuntimeException | Error e) {
            lock.clearConversion();
            lock.ensureHeld();
            throw e;
        }
        lock.setEndOfConversion(call::endAsClosed);
        call.attempt()
                .getOutcome()
                .whenComplete((granted, failure) -> call.decide(granted != null && granted.isPresent(), failure));
        if (lock.isClosed()) {
            call.endAsClosed();
        }
        return call;
    }

    private static Attempt attempt(GrantedLock lock, LockMode target, boolean waits) {
        Grant grant = lock.grant();
        if (lock.mode() == target) {
            return new Unchanged(grant);
        }
        return waits ? grant.convert(target) : grant.tryConvert(target);
    }

    /** The lock has the mode already. */
    private record Unchanged(Grant grant) implements Attempt {

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return CompletableFuture.completedFuture(Optional.of(grant));
        }

        @Override
        public void giveUp() {}
    }

    private void decide(boolean converted, @Nullable Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            lock.clearConversion();
            if (failure == null) {
                succeed(converted);
            } else {
                fail(failure);
            }
        }
    }

    /** Ends the call because its lock was closed. A lock that stays taken after it was closed is not converted any more. */
    private void endAsClosed() {
        end(new IllegalStateException("Lock '" + lockId() + "' was closed while it was converted"));
    }

    @Override
    LockMode mode() {
        return target;
    }

    @Override
    String who() {
        return "a conversion of the lock that thread '" + lock.thread() + "' took";
    }

    @Override
    boolean converts(GrantedLock other) {
        return other == lock;
    }

    /** Ends the attempt first. Its end is the answer: the lock has the mode, or never will by this call. */
    @Override
    void end(RuntimeException because) {
        if (!isDecided()) {
            reason = because;
            attempt().giveUp();
            if (!isDecided()) {
                boolean converted = lock.mode() == target;
                decide(converted, converted ? null : new CancellationException("given up"));
            }
        }
    }

    /** If the call has an answer, the future receives that answer. */
    @Override
    <R> boolean endForCaller(CallFuture<R> future, BooleanSupplier completion, Function<Boolean, R> result) {
        end(new EndedByCaller());
        if (answer().handle((converted, failure) -> failure instanceof EndedByCaller)
                .toCompletableFuture()
                .join()) {
            return completion.getAsBoolean();
        }
        complete(future, result);
        return false;
    }

    @Override
    void endByInterrupt(InterruptedException cause) {
        end(new LockInterruptedException(
                lockId(),
                "The thread was interrupted while lock '" + lockId() + "' was converted to mode " + target
                        + stillHeld(),
                cause));
    }

    @Override
    String notWithin(String time) {
        return "Lock '" + lockId() + "' was not converted to mode " + target + " within " + time + stillHeld() + ". ";
    }

    private String stillHeld() {
        return "; it is still held in mode " + lock.mode();
    }

    @Override
    String advice(Optional<Obstacle> obstacle) {
        String why = obstacle.map(PendingCall::text)
                .orElse("Others hold it in modes that are not compatible, or Cassandra is slow: try again later or"
                        + " allow more time");
        return obstacle.filter(Obstacle.StoreFails.class::isInstance).isPresent()
                ? why
                : why
                        + ". If another holder converts it as well, each waits for the other: release it, and begin again";
    }

    @Override
    RuntimeException explained(Throwable cause) {
        RuntimeException because = reason;
        return lock.whyNotHeld()
                .orElseGet(() ->
                        because != null && cause instanceof CancellationException ? because : super.explained(cause));
    }

    @Override
    RuntimeException storeFailed(Throwable cause) {
        return new LockStoreException(
                lockId(),
                "Lock '" + lockId() + "' could not be converted to mode " + target
                        + ", because a request to Cassandra failed (" + cause.getMessage()
                        + "). It is still held in mode " + lock.mode() + "; check the cluster and try again",
                cause);
    }
}
