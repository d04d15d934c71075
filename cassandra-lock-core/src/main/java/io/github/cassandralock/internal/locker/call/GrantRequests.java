package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.period.StoredPeriod;
import io.github.cassandralock.internal.store.UnusableValueException;
import io.github.cassandralock.internal.text.DurationText;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Requests a fencing token, the value or the last period of a held lock, and gives up after a lease. */
public record GrantRequests(GrantedLock lock, CallContext context) {

    /**
     * A request that was sent.
     *
     * @param answer its end gives the request up
     * @param requireAllowed throws if the lock is lost, closed or in a mode that does not allow the call
     * @param failureText the beginning of messages
     */
    private record SentRequest<T>(CompletableFuture<T> answer, Runnable requireAllowed, String failureText) {

        /** Gives the request up, so that a value is not set later. Returns false if the answer has arrived meanwhile. */
        boolean giveUp(Throwable reason) {
            return answer.completeExceptionally(reason) || answer.isCompletedExceptionally();
        }
    }

    /** The next fencing token. */
    public long token() {
        SentRequest<Long> sent = sendForToken();
        if (!sent.answer().isDone()) {
            context.waits().requireAllowed(sent::failureText, "reserveFencingTokenAsync");
        }
        return await(sent);
    }

    public CompletableFuture<Long> tokenAsync() {
        return future(sendForToken());
    }

    private SentRequest<Long> sendForToken() {
        lock.ensureHeld();
        requireOneHolder(
                "has no fencing token",
                "a token cannot order the writes of holders that hold the lock at the same time. Guard the resource otherwise");
        return new SentRequest<>(
                lock.grant().reserveFencingToken().toCompletableFuture().copy(),
                lock::ensureHeld,
                "No fencing token could be reserved for lock '" + lock.lockId() + "'");
    }

    public LockValue value() {
        context.waits().requireAllowed(this::notRead, "readValueAsync");
        return await(sendForValue());
    }

    public CompletableFuture<LockValue> valueAsync() {
        return future(sendForValue());
    }

    private SentRequest<LockValue> sendForValue() {
        return send(lock.grant()::readValue, this::requireReadable, notRead());
    }

    private String notRead() {
        return "The value of lock '" + lock.lockId() + "' could not be read";
    }

    public void value(byte[] bytes) {
        LockValue value = LockValue.of(bytes, false);
        context.waits().requireAllowed(this::notSet, "writeValueAsync");
        await(sendValue(value));
    }

    public CompletableFuture<Void> valueAsync(byte[] bytes) {
        return future(sendValue(LockValue.of(bytes, false)));
    }

    private SentRequest<Void> sendValue(LockValue value) {
        return send(() -> lock.grant().writeValue(value.getBytes()), this::requireWritable, notSet());
    }

    private String notSet() {
        return "The value of lock '" + lock.lockId() + "' was not set";
    }

    /** Whether this period is later than the last completed one. */
    public boolean isDue(Comparable<?> period) {
        StoredPeriod begun = StoredPeriod.of(period);
        context.waits().requireAllowed(this::periodNotRead, "beginPeriodAsync");
        return await(sendForPeriod(begun));
    }

    public CompletableFuture<Boolean> isDueAsync(Comparable<?> period) {
        return future(sendForPeriod(StoredPeriod.of(period)));
    }

    private SentRequest<Boolean> sendForPeriod(StoredPeriod period) {
        return send(() -> whetherDue(period), this::requireWritable, periodNotRead());
    }

    private CompletionStage<Boolean> whetherDue(StoredPeriod period) {
        return lock.grant()
                .readStoredValue()
                .thenApply(value -> StoredPeriod.read(lock.lockId(), value.getBytes())
                        .map(last -> isLater(period, last))
                        .orElse(true));
    }

    private boolean isLater(StoredPeriod period, StoredPeriod last) {
        boolean later = period.isLaterThan(last, lock.lockId());
        if (!later && !period.equals(last)) {
            context.warnings()
                    .earlierPeriod()
                    .warn("The period " + period + " of lock '" + lock.lockId()
                            + "' is earlier than the last completed one, " + last
                            + ", so its work is skipped. The clock of this process is behind, or the clock that gave the last"
                            + " period was ahead");
        }
        return later;
    }

    private String periodNotRead() {
        return "The last completed period of lock '" + lock.lockId() + "' could not be read";
    }

    /** Records that this period is completed. An interrupt of the work does not keep it from being recorded. */
    public void complete(Comparable<?> period) {
        StoredPeriod completed = StoredPeriod.of(period);
        context.waits().requireAllowed(() -> notRecorded(completed), "completePeriodAsync");
        boolean interrupted = Thread.interrupted();
        try {
            await(sendPeriod(completed));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public CompletableFuture<Void> completeAsync(Comparable<?> period) {
        return future(sendPeriod(StoredPeriod.of(period)));
    }

    private SentRequest<Void> sendPeriod(StoredPeriod period) {
        return send(() -> lock.grant().storeValue(period.bytes()), this::requireWritable, notRecorded(period));
    }

    private String notRecorded(StoredPeriod period) {
        return "The period " + period + " of lock '" + lock.lockId()
                + "' may not be recorded as completed, so its work may run again";
    }

    /**
     * Refuses what needs a single holder.
     *
     * @param refused completes the sentence "lock … …"
     * @param reason why, and what to do instead, without permits being an alternative
     */
    private void requireOneHolder(String refused, String reason) {
        if (lock.permits() > 1) {
            throw new UnsupportedOperationException("Lock '" + lock.lockId() + "' " + refused + ", because it has "
                    + lock.permits() + " permits: " + reason + ", or take the lock without permits");
        }
    }

    private <T> SentRequest<T> send(Supplier<CompletionStage<T>> call, Runnable requireAllowed, String failureText) {
        requireAllowed.run();
        requireOneHolder(
                "has no value and no periods",
                "holders that hold the lock at the same time would overwrite each other's. Keep the value elsewhere");
        try {
            return new SentRequest<>(call.get().toCompletableFuture(), requireAllowed, failureText);
        } catch (UnsupportedOperationException e) {
            throw new UnsupportedOperationException("Lock '" + lock.lockId() + "': " + e.getMessage(), e);
        }
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

    private <T> T await(SentRequest<T> sent) {
        try (CallbackThreads.Replacement meanwhile = CallbackThreads.replaceThisThreadOfLosses()) {
            sent.answer().get(context.lease().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (sent.giveUp(e)) {
                throw new LockInterruptedException(
                        lock.lockId(),
                        sent.failureText() + ": the thread was interrupted while it waited; the lock is still held",
                        e);
            }
        } catch (TimeoutException e) {
            sent.answer().completeExceptionally(e);
        } catch (ExecutionException e) {
            // Thrown below.
        }
        return received(sent);
    }

    /** A callback thread completes the future. */
    private <T> CompletableFuture<T> future(SentRequest<T> sent) {
        CompletableFuture<T> answer = sent.answer();
        CallFuture<T> future = new CallFuture<>(lock.lockId(), context.waits(), null) {
            @Override
            boolean endedByCaller(BooleanSupplier completion) {
                return sent.giveUp(new PendingCall.EndedByCaller()) && completion.getAsBoolean();
            }
        };
        if (!answer.isDone()) {
            CompletableFuture<Void> timer = context.timers().after(context.lease());
            timer.thenRun(() -> answer.completeExceptionally(new TimeoutException()));
            answer.whenComplete((value, failure) -> timer.cancel(false));
        }
        answer.whenCompleteAsync(
                (value, failure) -> {
                    if (!(failure instanceof PendingCall.EndedByCaller)) {
                        complete(future, sent);
                    }
                },
                context.threads().callbacks());
        return future;
    }

    private <T> void complete(CallFuture<T> future, SentRequest<T> sent) {
        try {
            future.answer(received(sent));
        } catch (RuntimeException e) {
            future.fail(e);
        }
    }

    /** Returns or throws the answer, just before the caller receives it. */
    private <T> T received(SentRequest<T> sent) {
        sent.requireAllowed().run();
        try {
            return sent.answer().join();
        } catch (CompletionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (cause instanceof UnusableValueException unusable) {
                throw new IllegalStateException(unusable.getMessage(), unusable);
            }
            String why = cause instanceof TimeoutException
                    ? " because Cassandra did not answer within " + DurationText.of(context.lease())
                    : " (" + cause.getMessage() + ")";
            throw new LockStoreException(
                    lock.lockId(), sent.failureText() + why + "; the lock is still held: try again, or release it", e);
        }
    }
}
