package io.github.cassandralock.inspect;

import java.util.concurrent.CompletableFuture;

/**
 * Reads who holds locks and who waits for them, in all processes. It takes no lock and writes nothing. What it returns may be outdated:
 * to have a lock, take it with a {@link io.github.cassandralock.RemoteLocker}. Thread-safe.
 *
 * <p>All methods throw {@link IllegalStateException} if the application could not use Cassandra since its start; they throw
 * {@link UnsupportedOperationException} if the algorithm cannot be inspected: {@code majority}, or one of the application's own.
 */
public interface LockInspector {

    /**
     * Reads who holds a lock and who waits for it. Costs two or three reads. Blocks for ten seconds at most.
     *
     * @param lockId the lock
     * @return its state, even if nobody holds it
     * @throws IllegalArgumentException if the id is not valid as a lock id
     * @throws IllegalStateException if the calling thread must not wait
     * @throws io.github.cassandralock.LockStoreException if Cassandra fails or does not answer in time
     * @throws io.github.cassandralock.LockInterruptedException if the thread is interrupted
     */
    LockState inspect(String lockId);

    /**
     * Reads who holds a lock and who waits for it, as {@link #inspect} does. Does not wait for the answer. The first call may block
     * while statements are prepared.
     *
     * @param lockId the lock
     * @return completes with its state; exceptionally with a {@link io.github.cassandralock.LockStoreException} if Cassandra fails
     * @throws IllegalArgumentException if the id is not valid as a lock id
     */
    CompletableFuture<LockState> inspectAsync(String lockId);

    /**
     * Lists locks of all processes that are held or waited for. Scans the table of locks, a part for each page. It reads each
     * lock that it finds, at most a thousand in one call. It is for administrators, not for work that is repeated. Blocks for ten
     * seconds at most. A lock that is taken or released meanwhile may be listed or not.
     *
     * @param idPrefix with which the ids begin; empty for all locks of the application
     * @param page the next page of an earlier answer; empty for the first one
     * @return a page; call again until it has no next one
     * @throws IllegalArgumentException if no lock id can begin with the prefix, or there is no such page
     * @throws IllegalStateException if the calling thread must not wait
     * @throws UnsupportedOperationException if the algorithm is not {@code ticket}
     * @throws io.github.cassandralock.LockStoreException if Cassandra fails or does not answer in time
     * @throws io.github.cassandralock.LockInterruptedException if the thread is interrupted
     */
    LockPage list(String idPrefix, String page);

    /**
     * Lists locks as {@link #list} does. Does not wait for the answer.
     *
     * @param idPrefix with which the ids begin; empty for all locks of the application
     * @param page the next page of an earlier answer; empty for the first one
     * @return completes with a page; exceptionally with a {@link io.github.cassandralock.LockStoreException} if Cassandra fails
     * @throws IllegalArgumentException if no lock id can begin with the prefix, or there is no such page
     * @throws UnsupportedOperationException if the algorithm is not {@code ticket}
     */
    CompletableFuture<LockPage> listAsync(String idPrefix, String page);
}
