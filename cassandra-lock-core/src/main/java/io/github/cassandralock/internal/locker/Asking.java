package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import java.util.Optional;

/**
 * In whose name a call asks for its locks.
 *
 * @param thread the name of the thread that made the call
 * @param owner to whom the locks are to belong; empty if to nobody
 */
record Asking(String thread, Optional<LockOwner> owner) {

    /** The calling thread waits: what it takes is its own, unless the request says otherwise. */
    static Asking blocking(LockRequest request) {
        return new Asking(
                Thread.currentThread().getName(), Optional.of(request.owner().orElseGet(LockOwner::ofCurrentThread)));
    }

    /** The calling thread does not wait: which thread uses the lock later is not known. */
    static Asking later(LockRequest request) {
        return new Asking(Thread.currentThread().getName(), request.owner());
    }

    Caller caller(ThreadIds threadIds) {
        return new Caller(threadIds.next(), thread, owner);
    }
}
