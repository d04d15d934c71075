package io.github.cassandralock;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lock that was granted: one acquisition by one holder. Closing it releases it.
 *
 * <p>The lease behind it is renewed in the background. Should renewals fail for too long, the lock is <em>lost</em>:
 * someone else may hold it from then on. {@link #isHeld()} turns false <em>before</em> that can happen, judged by the
 * local monotonic clock alone, and {@link #onLost(Consumer)} tells it.
 *
 * <p>Safe for use by any thread; any thread may close it.
 */
public interface RemoteLock extends AutoCloseable {

    /**
     * The resource that this lock names.
     *
     * @return the lock id
     */
    String getLockId();

    /**
     * Names this acquisition: unique over all processes and all time. The thesis calls it the thread id.
     *
     * @return the name
     */
    String getThreadId();

    /**
     * A number that strictly grows from one exclusive holder to the next, for a resource that refuses lower ones.
     *
     * <p>The first call for a lock writes to Cassandra and waits for the answer, for a lease at most; later ones return at once.
     *
     * @return the token
     * @throws UnsupportedOperationException if the algorithm in use cannot vouch for one
     * @throws LockLostException if the lease can no longer be vouched for
     * @throws LockStoreException if Cassandra did not acknowledge the number within a lease; the lock is still held, and
     *     the next call tries again
     * @throws LockInterruptedException if the thread is interrupted while it waits; the lock is still held
     * @throws IllegalStateException if the lock was closed
     */
    long getFencingToken();

    /**
     * False from the instant at which the lease can no longer be vouched for, and after {@link #close()}.
     *
     * @return whether the lock is held at this instant
     */
    boolean isHeld();

    /**
     * Returns if the lock is held.
     *
     * @throws LockLostException if the lease was lost
     * @throws IllegalStateException if the lock was closed
     */
    void ensureHeld();

    /**
     * Runs the callback when the lock is lost, at most once; at once, on the calling thread, if it is lost already;
     * never, if the lock is released in time. Callbacks run on a thread of the locker's own and may block for a while
     * without delaying renewals. What a callback throws is logged.
     *
     * @param callback receives the reason, for people: a message such as that no renewal was confirmed within the lease
     */
    void onLost(Consumer<String> callback);

    /**
     * Releases the lock. Further calls do nothing. Never throws for a lock that is already lost, nor for a Cassandra
     * that does not answer: what could not be cleaned up is retried in the background and frees itself with the lease.
     * Waits for the release at most as long as a request to Cassandra may take; an interrupt ends the waiting, not the
     * release.
     */
    @Override
    void close();

    /**
     * Releases the lock as {@link #close()} does, without waiting.
     *
     * @return completes, never exceptionally, when the release was acknowledged or handed to the background; on whatever
     *     thread that happens, so do not block in what depends on it
     */
    CompletionStage<Void> closeAsync();
}
