package io.github.cassandralock;

import java.time.Duration;

/**
 * Is told what happens to the locks of this process. Every {@code LockListener} bean is called.
 *
 * <p>Calls are made one after the other, in the order of the events, on a thread of their own: an event may be told a little
 * after it has happened. A listener that does not return keeps the others from hearing, and no lock from its lease; once
 * 10,000 events wait, further ones are dropped, and the log says that they are and, in the end, how many they were. What a
 * listener throws is logged with the lock id and stops nothing.
 */
public interface LockListener {

    /**
     * A lock was granted.
     *
     * @param lockId the lock
     * @param threadId names the acquisition
     * @param waited for how long its holder had waited
     */
    default void onAcquired(String lockId, String threadId, Duration waited) {}

    /**
     * A soft attempt found the lock held by someone else.
     *
     * @param lockId the lock
     */
    default void onRefused(String lockId) {}

    /**
     * A waiter left the queue: its time was up, it was interrupted or cancelled, or Cassandra failed it.
     *
     * @param lockId the lock
     * @param waited for how long it had waited
     * @param reason why it left
     */
    default void onGivenUp(String lockId, Duration waited, Throwable reason) {}

    /**
     * A lock was released by its holder.
     *
     * @param lockId the lock
     * @param threadId names the acquisition
     * @param held for how long it was held
     */
    default void onReleased(String lockId, String threadId, Duration held) {}

    /**
     * The lease of a held lock can no longer be vouched for.
     *
     * @param lockId the lock
     * @param threadId names the acquisition
     * @param reason why it was lost, for people
     */
    default void onLost(String lockId, String threadId, String reason) {}
}
