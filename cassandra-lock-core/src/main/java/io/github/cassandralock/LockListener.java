package io.github.cassandralock;

import java.time.Duration;

/**
 * Receives the events of all locks of this process, for metrics and logs. Every {@code LockListener} bean is called.
 *
 * <p>One thread, used for nothing else, calls all listeners, one event after the other, in the order of the events. A call
 * can therefore come some time after its event. A listener that blocks delays all listeners; it does not delay the renewal
 * of leases. When 10,000 events wait, further events are dropped: the first dropped event is logged, and the number of
 * dropped events is logged when the queue is empty again. Exceptions that a listener throws are logged with the lock id and
 * have no other effect.
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
     * A soft attempt found that the lock was taken.
     *
     * @param lockId the lock
     */
    default void onRefused(String lockId) {}

    /**
     * An attempt ended without a lock, other than by {@link #onRefused}: it timed out, was interrupted or cancelled, or
     * failed.
     *
     * @param lockId the lock
     * @param waited the time from the call to its end
     * @param reason the exception: of the time-out, the interrupt, the cancellation, or the failed request to Cassandra
     */
    default void onGivenUp(String lockId, Duration waited, Throwable reason) {}

    /**
     * A lock was closed: by its holder, or by the locker at shutdown. A lost lock is reported here, too, when it is closed.
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
     * @param reason why the lock was lost, as a text for people
     */
    default void onLost(String lockId, String threadId, String reason) {}
}
