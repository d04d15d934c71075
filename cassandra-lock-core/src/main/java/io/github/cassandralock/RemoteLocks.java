package io.github.cassandralock;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Several granted locks that were taken together: all of them, or none. Closing it releases all.
 *
 * <p>The locks are held as one. If one of them is <em>lost</em> ({@link RemoteLock}), or is closed alone, {@link #isHeld()} is
 * false from then on. The other locks stay taken until this object is closed, so close it even after a loss.
 *
 * <p>Thread-safe; any thread may close it.
 */
public interface RemoteLocks extends AutoCloseable {

    /**
     * Returns the names of the locked resources, in the order in which they were taken.
     *
     * @return an immutable set
     */
    Set<String> getLockIds();

    /**
     * Returns one of the locks, for example to get its mode or its fencing token. Do not close it alone, except to end the work
     * that needs all of them.
     *
     * @param lockId the name of the resource
     * @return the lock
     * @throws IllegalArgumentException if the lock is not one of these
     */
    RemoteLock get(String lockId);

    /**
     * Returns whether all locks are held now. Does no I/O and does not block. Once it has returned false, it never returns true
     * again.
     *
     * @return true until one of the locks is lost or {@link #close()} begins
     */
    boolean isHeld();

    /**
     * Does nothing if all locks are held now, and throws otherwise. Does no I/O and does not block.
     *
     * @throws LockLostException if a lock is lost; the message gives the reason
     * @throws IllegalStateException if a lock was closed while it was held
     */
    void ensureHeld();

    /**
     * Registers a callback for the loss of any of the locks. It runs at most once, for the first loss, as {@link
     * RemoteLock#onLost(Consumer)} describes.
     *
     * @param callback receives the reason, whose text names the lock
     */
    void onLost(Consumer<LockLoss> callback);

    /**
     * Registers a callback for the moment when another caller waits for any of the locks. It runs at most once, as {@link
     * RemoteLock#onContention(Runnable)} describes.
     *
     * @param callback runs at most once
     */
    void onContention(Runnable callback);

    /**
     * Releases all locks, each as {@link RemoteLock#close()} does, in the reverse of the order in which they were taken. Blocks
     * until all requests to release have been answered or have failed, for at most one lease. Idempotent.
     */
    @Override
    void close();

    /**
     * Releases all locks as {@link #close()} does, without blocking.
     *
     * @return completes, never exceptionally, when all releases have been acknowledged or continue in the background. If the caller
     *     cancels or completes it, the releases continue. Dependent actions run on a thread of the locker and must be short
     */
    CompletableFuture<Void> closeAsync();
}
