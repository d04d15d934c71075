package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.text.DurationText;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for a fencing token or the value of a held lock, for at most a lease. */
public record GrantAnswer(GrantedLock lock, CallContext context) {

    /** The next fencing token. */
    public long token() {
        String failed = "No fencing token could be reserved for lock '" + lock.lockId() + "'";
        lock.ensureHeld();
        CompletableFuture<Long> token =
                lock.grant().fencingToken().toCompletableFuture().copy();
        if (!token.isDone()) {
            context.waits().requireAllowed(() -> failed, "");
        }
        return await(token, lock::ensureHeld, failed);
    }

    public LockValue value() {
        return value(
                lock.grant()::value,
                this::requireReadable,
                "The value of lock '" + lock.lockId() + "' could not be read");
    }

    public void value(byte[] bytes) {
        byte[] copy = LockValue.of(bytes, false).bytes();
        value(
                () -> lock.grant().value(copy),
                this::requireWritable,
                "The value of lock '" + lock.lockId() + "' was not set");
    }

    private void requireReadable() {
        lock.ensureHeld();
        if (lock.mode() == LockMode.NULL) {
            throw new IllegalStateException("The value of lock '" + lock.lockId()
                    + "' cannot be read in mode NULL, which protects nothing; convert the lock to another mode first");
        }
    }

    private void requireWritable() {
        lock.ensureHeld();
        LockMode present = lock.mode();
        if (!present.covers(LockMode.PROTECTED_WRITE)) {
            throw new IllegalStateException("The value of lock '" + lock.lockId() + "' cannot be set in mode " + present
                    + "; convert the lock to PROTECTED_WRITE or EXCLUSIVE first");
        }
    }

    /** @param allowed throws if the lock is lost, closed or in a mode that does not allow the call */
    private <T> T value(Supplier<CompletionStage<T>> call, Runnable allowed, String failed) {
        allowed.run();
        context.waits().requireAllowed(() -> failed, "");
        try {
            return await(call.get().toCompletableFuture(), allowed, failed);
        } catch (UnsupportedOperationException e) {
            throw new UnsupportedOperationException("Lock '" + lock.lockId() + "': " + e.getMessage(), e);
        }
    }

    private <T> T await(CompletableFuture<T> answer, Runnable allowed, String failed) {
        try {
            answer.get(context.lease().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (isGivenUp(answer)) {
                throw new LockInterruptedException(
                        lock.lockId(),
                        failed + ": the thread was interrupted while it waited; the lock is still held",
                        e);
            }
        } catch (TimeoutException e) {
            allowed.run();
            if (isGivenUp(answer)) {
                throw notAnswered(
                        failed + " because Cassandra did not answer within " + DurationText.of(context.lease()), e);
            }
        } catch (ExecutionException e) {
            allowed.run();
            throw notAnswered(
                    failed + " (" + Objects.requireNonNullElse(e.getCause(), e).getMessage() + ")", e);
        }
        allowed.run();
        return answer.join();
    }

    /** Cancels the answer, so that a value is not set later. Returns false if the answer has arrived meanwhile. */
    private static boolean isGivenUp(CompletableFuture<?> answer) {
        return answer.cancel(false) || answer.isCompletedExceptionally();
    }

    private LockStoreException notAnswered(String failed, Exception cause) {
        return new LockStoreException(
                lock.lockId(), failed + "; the lock is still held: try again, or release it", cause);
    }
}
