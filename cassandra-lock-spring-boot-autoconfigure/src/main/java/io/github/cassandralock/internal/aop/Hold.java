package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLock;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lock shared by nested calls. The last of them releases it, also if that is a {@code CompletionStage} that ends after the
 * call that took the lock. Thread-safe.
 */
final class Hold {

    private final String lockId;
    private final RemoteLock lock;
    private final AtomicInteger sharers = new AtomicInteger(1);

    /** @param lockId for which the locker was asked */
    Hold(String lockId, RemoteLock lock) {
        this.lockId = lockId;
        this.lock = lock;
    }

    String lockId() {
        return lockId;
    }

    RemoteLock lock() {
        return lock;
    }

    /**
     * Adds a sharer, which must leave by {@link Holds}.
     *
     * @throws IllegalStateException if the last sharer has left already
     */
    Hold share() {
        if (sharers.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IllegalStateException("Lock '" + lockId
                    + "' has been released by the call that took it, so a call started by that one cannot share it; let"
                    + " the outer call wait for the inner one");
        }
        return this;
    }

    /** Removes a sharer. If it was the last one, the lock is to be closed. */
    boolean isLastToLeave() {
        return sharers.decrementAndGet() == 0;
    }
}
