package io.github.cassandralock;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A granted lock, as the work under it sees it: the work can check the lock, and cannot release it.
 *
 * <p>Thread-safe. Remains usable after the lock has ended, and then reports that.
 */
public interface HeldLock {

    /**
     * Returns the name of the locked resource.
     *
     * @return the lock id
     */
    String getLockId();

    /**
     * Returns a fencing token: a number higher than the tokens of all earlier holders of this lock, in all processes. A resource
     * must refuse a token lower than the highest it has seen. It is then protected from a holder that has not noticed the loss of
     * its lock. In modes other than {@link LockMode#EXCLUSIVE}, the token is higher than the tokens of earlier holders in
     * incompatible modes. Holders that share the lock have tokens without an order, which may be equal. A resource must not
     * compare these. Tokens are not consecutive. The wall clock of the holder's process gives the next token if none was
     * requested for seven days.
     *
     * <p>The first call for a lock may read from and write to Cassandra, and wait for at most one lease. If another thread of
     * this process has reserved tokens and handed the lock over, the call does not use Cassandra. Further calls return the number of the first
     * successful call without waiting. After a conversion of the lock, the next call may reserve a higher number.
     *
     * @return the token
     * @throws UnsupportedOperationException if the lock has several permits; if the algorithm has no fencing tokens: {@code
     *     queue}, {@code shadow}, a move between these two, and a move between {@code ticket} and {@code majority}
     * @throws LockLostException if the lock is lost
     * @throws LockStoreException if Cassandra did not acknowledge the write within one lease. The lock is still held, and the
     *     caller may call again
     * @throws LockInterruptedException if the thread is interrupted while it waits. The lock is still held, and the thread's
     *     interrupt flag is set
     * @throws IllegalStateException if the lock was closed
     */
    long reserveFencingToken();

    /**
     * Returns a fencing token as {@link #reserveFencingToken()} does, without blocking.
     *
     * @return completes with the token; exceptionally with the exceptions of {@link #reserveFencingToken()}. If the caller
     *     cancels or completes it, the locker no longer waits for the token. Dependent actions run on a thread of the locker and
     *     must be short
     * @throws UnsupportedOperationException if the algorithm has no fencing tokens
     * @throws LockLostException if the lock is lost already
     * @throws IllegalStateException if the lock was closed
     */
    CompletableFuture<Long> reserveFencingTokenAsync();

    /**
     * Returns whether the lock is held now. Does no I/O and does not block. Once it has returned false, it never returns true
     * again.
     *
     * @return true until the lock is lost or its release begins
     */
    boolean isHeld();

    /**
     * Does nothing if the lock is held now, and throws otherwise. Does no I/O and does not block.
     *
     * @throws LockLostException if the lock is lost; the message gives the reason
     * @throws IllegalStateException if the lock was closed while it was held
     */
    void ensureHeld();

    /**
     * Registers a callback for the loss of the lock. It runs at most once, on a thread of the locker when the lock is lost. If
     * the lock is lost already, it runs at once on the calling thread. It does not run if the lock is released first. It may
     * block for some time, which can delay other callbacks, but not the renewal of leases. Its exceptions are logged.
     *
     * @param callback receives the reason
     * @throws IllegalStateException if the lock was closed while it was held: the callback would never run
     */
    void onLost(Consumer<LockLoss> callback);

    /**
     * Registers a callback for the moment when another caller waits for this lock. Long work can then release the lock early. The
     * callback runs at most once, on a thread of the locker, while the lock is held. It may block for some time, which can delay
     * other callbacks. Its exceptions are logged. The lock stays held until it is closed.
     *
     * <p>Threads of this process and processes that exchange notices are found at once. To find others, the locker reads
     * Cassandra every third of a lease. It stops when the lock is no longer held, or when all registered callbacks have run.
     * Calls of {@code tryGetLock} do not count as waiting. With the algorithms {@code queue} and {@code shadow} the callback
     * never runs.
     *
     * @param callback never runs if the lock was closed
     */
    void onContention(Runnable callback);
}
