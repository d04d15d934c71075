package io.github.cassandralock.internal.aop;

import io.github.cassandralock.HeldLock;
import io.github.cassandralock.LockLoss;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The locks of one call as its method sees them: as one lock, which it cannot release. */
record LocksOfCall(Holds holds) implements HeldLock {

    @Override
    public String getLockId() {
        return one().lockId();
    }

    @Override
    public long reserveFencingToken() {
        return one().lock().reserveFencingToken();
    }

    @Override
    public CompletableFuture<Long> reserveFencingTokenAsync() {
        return one().lock().reserveFencingTokenAsync();
    }

    private Hold one() {
        List<Hold> named = holds.named();
        if (named.size() > 1) {
            throw new IllegalStateException("The running method has the "
                    + LockIds.text(named.stream().map(Hold::lockId).toList())
                    + ", so there is no single id or token; get(lockId) of CurrentLock returns one of the locks");
        }
        return named.get(0);
    }

    @Override
    public boolean isHeld() {
        return holds.all().stream().allMatch(hold -> hold.lock().isHeld());
    }

    @Override
    public void ensureHeld() {
        holds.ensureHeld();
    }

    @Override
    public void onLost(Consumer<LockLoss> callback) {
        AtomicBoolean ran = new AtomicBoolean();
        holds.onLost(reason -> {
            if (ran.compareAndSet(false, true)) {
                callback.accept(reason);
            }
        });
    }

    @Override
    public void onContention(Runnable callback) {
        AtomicBoolean ran = new AtomicBoolean();
        holds.all()
                .forEach(hold -> hold.lock().onContention(() -> {
                    if (isHeld() && ran.compareAndSet(false, true)) {
                        callback.run();
                    }
                }));
    }

    /** The ids, and whether all locks are held. */
    @Override
    public String toString() {
        return "HeldLock[" + holds.names() + ", " + (isHeld() ? "held" : "not held") + "]";
    }
}
