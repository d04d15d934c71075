package io.github.cassandralock.aop;

import io.github.cassandralock.RemoteLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lock shared by nested calls: whoever of them ends last releases it, also where that is a {@code CompletionStage} which
 * outlives the call that took the lock. Thread-safe.
 */
final class Hold {

    private final RemoteLock lock;
    private final AtomicInteger sharers = new AtomicInteger(1);

    Hold(RemoteLock lock) {
        this.lock = lock;
    }

    RemoteLock lock() {
        return lock;
    }

    /** @throws io.github.cassandralock.LockLostException if there is nothing left to share */
    Hold share() {
        lock.ensureHeld();
        sharers.incrementAndGet();
        return this;
    }

    void leave() {
        if (sharers.decrementAndGet() == 0) {
            lock.close();
        }
    }

    CompletionStage<Void> leaveAsync() {
        return sharers.decrementAndGet() == 0 ? lock.closeAsync() : CompletableFuture.completedFuture(null);
    }
}
