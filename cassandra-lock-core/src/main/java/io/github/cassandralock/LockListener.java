package io.github.cassandralock;

import java.time.Duration;

/**
 * Receives the events of all locks of this process, for metrics and logs. Every {@code LockListener} bean is called.
 *
 * <p>One thread of its own calls all listeners, in the order of the events. Therefore a call can come some time after its event.
 * A listener that blocks delays all listeners, but not the renewal of leases. Further events are dropped when 10,000 wait. The
 * first dropped event is logged, and their number when the queue is empty again. Exceptions of a listener are logged with the
 * lock id and have no other effect.
 *
 * <p>Durations are measured by the monotonic clock.
 */
public interface LockListener {

    /**
     * A lock was granted.
     *
     * @param lockId the lock
     * @param threadId the acquisition, as {@link RemoteLock#getThreadId()} returns it
     * @param waited the time from the call to the grant
     */
    default void onAcquired(String lockId, String threadId, Duration waited) {}

    /**
     * An attempt that does not wait found the lock taken.
     *
     * @param lockId the lock
     */
    default void onRefused(String lockId) {}

    /**
     * An attempt ended without a lock, by a time-out, an interrupt, a cancellation or a failure.
     *
     * @param lockId the lock
     * @param waited the time from the call to its end
     * @param reason the exception of the time-out, the interrupt, the cancellation, or the failed request to Cassandra
     */
    default void onGivenUp(String lockId, Duration waited, Throwable reason) {}

    /**
     * A lock, held or lost, was closed by its holder, or by the locker at shutdown.
     *
     * @param lockId the lock
     * @param threadId the acquisition, as {@link RemoteLock#getThreadId()} returns it
     * @param held the time from the grant to the call of {@code close}
     */
    default void onReleased(String lockId, String threadId, Duration held) {}

    /**
     * A lock was lost while it was held: another process may get it.
     *
     * @param lockId the lock
     * @param threadId the acquisition, as {@link RemoteLock#getThreadId()} returns it
     * @param loss why the lock was lost
     */
    default void onLost(String lockId, String threadId, LockLoss loss) {}
}
