package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.spi.AcquireRequest;
import java.util.Optional;

/**
 * In whose name a lock is requested.
 *
 * @param threadId the name of the acquisition
 * @param thread the name of the thread that made the call
 * @param owner of the lock; empty for an asynchronous call whose request names none
 */
public record Caller(String threadId, String thread, Optional<LockOwner> owner) {

    /** The calling thread blocks until the answer: it becomes the owner, unless the request names another one. */
    public static Caller blocking(LockRequest request, ThreadIds ids) {
        return of(ids, Optional.of(request.getOwner().orElseGet(LockOwner::ofCurrentThread)));
    }

    /** The calling thread does not block: it is unknown which thread will use the lock. */
    public static Caller asynchronous(LockRequest request, ThreadIds ids) {
        return of(ids, request.getOwner());
    }

    private static Caller of(ThreadIds ids, Optional<LockOwner> owner) {
        return new Caller(ids.next(), Thread.currentThread().getName(), owner);
    }

    /** The request that the algorithm receives. */
    public AcquireRequest acquireRequest(LockRequest request, boolean waits) {
        return new AcquireRequest(
                request.getLockId(),
                threadId,
                waits ? AcquireRequest.Kind.WAITS : AcquireRequest.Kind.TRIES,
                request.getMode(),
                owner,
                request.getPermits());
    }

    /** The next acquisition of this call. */
    public Caller next(ThreadIds ids) {
        return new Caller(ids.next(), thread, owner);
    }
}
