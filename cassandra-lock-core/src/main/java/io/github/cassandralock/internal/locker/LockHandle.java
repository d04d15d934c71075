package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.call.CallContext;
import io.github.cassandralock.internal.locker.call.ConversionCall;
import io.github.cassandralock.internal.locker.call.GrantRequests;
import io.github.cassandralock.internal.locker.call.PendingCall;
import io.github.cassandralock.internal.locker.call.WaitingCalls;
import io.github.cassandralock.internal.locker.held.AbandonedLocks;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A caller's handle of a lock. The locker does not reference it, so it becomes unreachable when the caller has dropped it. */
final class LockHandle implements RemoteLock {

    private final GrantedLock lock;
    private final Context context;

    /** Shared by all handles of a call; null if the call has one handle. It is only kept reachable, and never read. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final AbandonedLocks.@Nullable Leash leash;

    /** What all handles of a locker share. */
    record Context(RequestChecks checks, WaitingCalls waiting, CallContext calls) {}

    LockHandle(GrantedLock lock, Context context, AbandonedLocks.@Nullable Leash leash) {
        this.lock = lock;
        this.context = context;
        this.leash = leash;
    }

    GrantedLock lock() {
        return lock;
    }

    @Override
    public void bindTo(Thread thread) {
        lock.bindTo(thread);
    }

    @Override
    public String getLockId() {
        return lock.lockId();
    }

    @Override
    public LockMode getMode() {
        return lock.mode();
    }

    @Override
    public int getPermits() {
        return lock.permits();
    }

    @Override
    public void convert(LockMode newMode) {
        await(newMode, true, PendingCall.FOREVER);
    }

    @Override
    public void convert(LockMode newMode, Duration timeout) {
        await(newMode, true, timeout);
    }

    @Override
    public boolean tryConvert(LockMode newMode) {
        return await(newMode, false, PendingCall.FOREVER);
    }

    @Override
    public CompletableFuture<Void> convertAsync(LockMode newMode) {
        return future(newMode, true, PendingCall.FOREVER, converted -> null);
    }

    @Override
    public CompletableFuture<Void> convertAsync(LockMode newMode, Duration timeout) {
        return future(newMode, true, timeout, converted -> null);
    }

    @Override
    public CompletableFuture<Boolean> tryConvertAsync(LockMode newMode) {
        return future(newMode, false, PendingCall.FOREVER, converted -> converted);
    }

    private boolean await(LockMode mode, boolean waits, Duration timeout) {
        context.checks().checkTimeout(lock, timeout);
        context.checks().requireMayWait(lock, waits ? "convertAsync" : "tryConvertAsync");
        context.checks().checkConversion(lock, mode);
        if (waits) {
            context.checks().refuseWaitingForOneself(lock, mode);
        }
        return begin(mode, waits).await(timeout, timeout);
    }

    private <T> CompletableFuture<T> future(
            LockMode mode, boolean waits, Duration timeout, Function<Boolean, T> result) {
        context.checks().checkTimeout(lock, timeout);
        context.checks().checkConversion(lock, mode);
        return begin(mode, waits).future(timeout, result, null);
    }

    private ConversionCall begin(LockMode mode, boolean waits) {
        ConversionCall call = ConversionCall.begin(lock, mode, waits, context.calls());
        context.waiting().add(call);
        return call;
    }

    @Override
    public String getThreadId() {
        return lock.threadId();
    }

    @Override
    public long reserveFencingToken() {
        return requests().token();
    }

    @Override
    public CompletableFuture<Long> reserveFencingTokenAsync() {
        return requests().tokenAsync();
    }

    @Override
    public LockValue readValue() {
        return requests().value();
    }

    @Override
    public CompletableFuture<LockValue> readValueAsync() {
        return requests().valueAsync();
    }

    @Override
    public void writeValue(byte[] bytes) {
        requests().value(bytes);
    }

    @Override
    public CompletableFuture<Void> writeValueAsync(byte[] bytes) {
        return requests().valueAsync(bytes);
    }

    @Override
    public boolean beginPeriod(Comparable<?> period) {
        return requests().isDue(period);
    }

    @Override
    public CompletableFuture<Boolean> beginPeriodAsync(Comparable<?> period) {
        return requests().isDueAsync(period);
    }

    @Override
    public void completePeriod(Comparable<?> period) {
        requests().complete(period);
    }

    @Override
    public CompletableFuture<Void> completePeriodAsync(Comparable<?> period) {
        return requests().completeAsync(period);
    }

    private GrantRequests requests() {
        return new GrantRequests(lock, context.calls());
    }

    @Override
    public boolean isHeld() {
        return lock.isHeld();
    }

    @Override
    public void ensureHeld() {
        lock.ensureHeld();
    }

    @Override
    public void holdAtMost(Duration atMost) {
        lock.holdAtMost(
                LockRequest.of(lock.lockId()).holdAtMost(atMost).getHoldAtMost().orElseThrow());
    }

    @Override
    public void onLost(Consumer<LockLoss> callback) {
        lock.onLost(callback);
    }

    @Override
    public void onContention(Runnable callback) {
        lock.onContention(callback);
    }

    @Override
    public void close() {
        context.calls().await(lock.release(), () -> "lock '" + lock.lockId() + "'");
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return context.calls().releasedOnCallbackThread(lock.release(), lock.lockId());
    }

    /** The lock id, the mode, and whether the lock is held, lost or closed. */
    @Override
    public String toString() {
        return lock.toString();
    }
}
