package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts the locks of one locker. Thread-safe.
 *
 * @param timers end asynchronous calls that have a time-out
 * @param callbacks complete the futures of asynchronous calls
 * @param requireSupport throws if the algorithm does not support the mode for the lock
 * @param waits refuses calls that wait on threads that must not
 */
record LockConversions(
        Timers timers,
        Executor callbacks,
        LockOwners owners,
        BiConsumer<String, LockMode> requireSupport,
        Waits waits) {

    private static final BiFunction<Grant, LockMode, Attempt> WAITING = Grant::convert;
    private static final BiFunction<Grant, LockMode, Attempt> TRYING = Grant::tryConvert;

    void convert(LockHandle lock, LockMode mode) {
        requireMayWait(lock, "convertAsync");
        refuseWaitingForOneself(lock, mode);
        begin(lock, mode, WAITING).await();
    }

    void convert(LockHandle lock, LockMode mode, Duration timeout) {
        checkTimeout(lock, timeout);
        requireMayWait(lock, "convertAsync");
        refuseWaitingForOneself(lock, mode);
        begin(lock, mode, WAITING).await(timeout);
    }

    boolean tryConvert(LockHandle lock, LockMode mode) {
        requireMayWait(lock, "tryConvertAsync");
        return begin(lock, mode, TRYING).await();
    }

    private void requireMayWait(LockHandle lock, String instead) {
        waits.requireAllowed(() -> "Lock '" + lock.getLockId() + "' was not converted", instead);
    }

    CompletableFuture<Void> convertAsync(LockHandle lock, LockMode mode) {
        return future(lock.getLockId(), begin(lock, mode, WAITING), converted -> null);
    }

    CompletableFuture<Void> convertAsync(LockHandle lock, LockMode mode, Duration timeout) {
        checkTimeout(lock, timeout);
        LockConversion conversion = begin(lock, mode, WAITING);
        CompletableFuture<Void> timer = timers.after(timeout);
        timer.thenRun(() -> conversion.timeOut(timeout));
        conversion.answer().whenComplete((converted, failure) -> timer.cancel(false));
        return future(lock.getLockId(), conversion, converted -> null);
    }

    CompletableFuture<Boolean> tryConvertAsync(LockHandle lock, LockMode mode) {
        return future(lock.getLockId(), begin(lock, mode, TRYING), converted -> converted);
    }

    private LockConversion begin(
            LockHandle lock, @Nullable LockMode mode, BiFunction<Grant, LockMode, Attempt> attempt) {
        if (mode == null) {
            throw new IllegalArgumentException("The mode to which lock '" + lock.getLockId()
                    + "' is to be converted is null; pass one of the modes, e.g. LockMode.EXCLUSIVE");
        }
        lock.ensureHeld();
        refuseNode(lock, mode);
        requireSupport.accept(lock.getLockId(), mode);
        return lock.beginConversion(mode, attempt);
    }

    /** What is above it would have to be converted, too. */
    private static void refuseNode(LockHandle lock, LockMode mode) {
        if (lock.isNode()) {
            throw new UnsupportedOperationException("Lock '" + lock.getLockId() + "' is not converted to mode " + mode
                    + ": it belongs to a path, and the locks above it would not fit any more. Ask for the path in the new mode"
                    + " with the same owner: what is held already is converted, then close the former locks");
        }
    }

    private void refuseWaitingForOneself(LockHandle lock, @Nullable LockMode mode) {
        if (mode != null) {
            owners.refuseWaitingForOneself(lock, mode, LockOwner.ofCurrentThread());
            lock.owner().ifPresent(owner -> owners.refuseWaitingForOneself(lock, mode, owner));
        }
    }

    private static void checkTimeout(LockHandle lock, @Nullable Duration timeout) {
        if (timeout == null || timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("The timeout " + timeout + " for the conversion of lock '"
                    + lock.getLockId() + "' is not more than zero; to ask without waiting, use tryConvert");
        }
    }

    /** A caller that ends the future by itself gives up. If the conversion has an answer already, the future has that answer. */
    private <T> CompletableFuture<T> future(String lockId, LockConversion conversion, Function<Boolean, T> result) {
        CallFuture<T> future = new CallFuture<>(
                (call, end) -> conversion.cancel() ? end.getAsBoolean() : tell(conversion, call, result),
                () -> waits.requireAllowed(
                        () -> "The conversion of lock '" + lockId + "' is not waited for", "thenAccept"));
        conversion.answer().whenCompleteAsync((converted, failure) -> tell(conversion, future, result), callbacks);
        return future;
    }

    /** Whoever ends a call completes its future. Returns false: this one has ended by itself. */
    private static <T> boolean tell(LockConversion conversion, CallFuture<T> future, Function<Boolean, T> result) {
        conversion.answer().whenComplete((converted, failure) -> {
            if (failure == null) {
                future.answer(result.apply(converted));
            } else if (!LockConversion.isEndedByCaller(failure)) {
                future.fail(failure);
            }
        });
        return false;
    }
}
