package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts the locks of one locker. Thread-safe.
 *
 * @param lease the limit of waits for the end of an attempt that was given up
 * @param timers end asynchronous calls that have a time-out
 * @param callbacks complete the futures of asynchronous calls
 * @param requireSupport throws if the algorithm does not support the mode for the lock
 */
record LockConversions(
        Duration lease,
        Timers timers,
        Executor callbacks,
        LockOwners owners,
        BiConsumer<String, LockMode> requireSupport) {

    private static final BiFunction<Grant, LockMode, Attempt> WAITING = Grant::convert;
    private static final BiFunction<Grant, LockMode, Attempt> TRYING = Grant::tryConvert;

    void convert(LockHandle lock, LockMode mode) {
        refuseWaitingForOneself(lock, mode);
        begin(lock, mode, WAITING).await();
    }

    void convert(LockHandle lock, LockMode mode, Duration timeout) {
        checkTimeout(lock, timeout);
        refuseWaitingForOneself(lock, mode);
        begin(lock, mode, WAITING).await(timeout);
    }

    boolean tryConvert(LockHandle lock, LockMode mode) {
        return begin(lock, mode, TRYING).await();
    }

    CompletableFuture<Void> convertAsync(LockHandle lock, LockMode mode) {
        return future(begin(lock, mode, WAITING), converted -> null);
    }

    CompletableFuture<Void> convertAsync(LockHandle lock, LockMode mode, Duration timeout) {
        checkTimeout(lock, timeout);
        LockConversion conversion = begin(lock, mode, WAITING);
        CompletableFuture<Void> timer = timers.after(timeout);
        timer.thenRun(() -> conversion.timeOut(timeout));
        conversion.answer().whenComplete((converted, failure) -> timer.cancel(false));
        return future(conversion, converted -> null);
    }

    CompletableFuture<Boolean> tryConvertAsync(LockHandle lock, LockMode mode) {
        return future(begin(lock, mode, TRYING), converted -> converted);
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
        return lock.beginConversion(mode, attempt, lease);
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

    /** A caller that has ended the future by itself does not wait for the conversion any longer. */
    private <T> CompletableFuture<T> future(LockConversion conversion, Function<Boolean, T> result) {
        CompletableFuture<T> future = new CompletableFuture<>();
        future.whenComplete((done, ended) -> conversion.giveUp(new CancellationException("completed by the caller")));
        conversion
                .answer()
                .whenCompleteAsync(
                        (converted, failure) -> {
                            if (failure == null) {
                                future.complete(result.apply(converted));
                            } else {
                                future.completeExceptionally(failure);
                            }
                        },
                        callbacks);
        return future;
    }
}
