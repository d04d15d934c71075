package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.RemoteLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The object that a caller gets for a lock. Nothing of the locker references it, so it is seen when the caller has dropped it. */
final class CallersLock implements RemoteLock {

    private final LockHandle handle;

    /** What it has in common with the other handles of its call; null if there are none. Nothing reads it: it must not be dropped. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final AbandonedLocks.@Nullable Leash leash;

    CallersLock(LockHandle handle, AbandonedLocks.@Nullable Leash leash) {
        this.handle = handle;
        this.leash = leash;
    }

    LockHandle handle() {
        return handle;
    }

    @Override
    public void bindTo(Thread thread) {
        handle.bindTo(thread);
    }

    @Override
    public String getLockId() {
        return handle.getLockId();
    }

    @Override
    public LockMode mode() {
        return handle.mode();
    }

    @Override
    public void convert(LockMode newMode) {
        handle.convert(newMode);
    }

    @Override
    public void convert(LockMode newMode, Duration timeout) {
        handle.convert(newMode, timeout);
    }

    @Override
    public boolean tryConvert(LockMode newMode) {
        return handle.tryConvert(newMode);
    }

    @Override
    public CompletableFuture<Void> convertAsync(LockMode newMode) {
        return handle.convertAsync(newMode);
    }

    @Override
    public CompletableFuture<Void> convertAsync(LockMode newMode, Duration timeout) {
        return handle.convertAsync(newMode, timeout);
    }

    @Override
    public CompletableFuture<Boolean> tryConvertAsync(LockMode newMode) {
        return handle.tryConvertAsync(newMode);
    }

    @Override
    public String getThreadId() {
        return handle.getThreadId();
    }

    @Override
    public long getFencingToken() {
        return handle.getFencingToken();
    }

    @Override
    public LockValue value() {
        return handle.value();
    }

    @Override
    public void value(byte[] bytes) {
        handle.value(bytes);
    }

    @Override
    public boolean isHeld() {
        return handle.isHeld();
    }

    @Override
    public void ensureHeld() {
        handle.ensureHeld();
    }

    @Override
    public void onLost(Consumer<String> callback) {
        handle.onLost(callback);
    }

    @Override
    public void onContention(Runnable callback) {
        handle.onContention(callback);
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return handle.closeAsync();
    }

    /** Names the lock, its mode, and whether it is held, lost or closed. */
    @Override
    public String toString() {
        return handle.toString();
    }
}
