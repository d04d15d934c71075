package io.github.cassandralock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A granted lock: one acquisition by one holder. Closing it releases it.
 *
 * <p>The locker renews the lease of the lock in the background. If the lease cannot be renewed in time, the lock is
 * <em>lost</em>: another process may get it from then on. {@link #isHeld()} becomes false <em>before</em> another process
 * can get the lock; the local monotonic clock alone decides that. {@link #onLost} registers a callback for the loss.
 *
 * <p>Thread-safe; any thread may close it.
 */
public interface RemoteLock extends HeldLock, AutoCloseable {

    /**
     * Returns the mode in which the lock is held: the mode of its {@link LockRequest}, or of its last conversion. The mode does
     * not change after the lock is lost or closed.
     *
     * @return the mode at this instant, even while the lock is converted
     */
    LockMode getMode();

    /**
     * Returns how many callers may hold the lock at once, as its {@link LockRequest} has it.
     *
     * @return the number of permits; 1 for a lock without permits
     */
    default int getPermits() {
        return 1;
    }

    /**
     * Converts the lock to another mode. The method does not wait for others if the present mode covers the new mode ({@link
     * LockMode#covers(LockMode)}). The new mode may then count for others as soon as the call begins, even if the call fails.
     * Otherwise the method waits until nobody holds the lock in an incompatible mode. The conversion goes before all callers that
     * wait for this handle. The lock stays held in the present mode meanwhile, even if the method throws. The method may write to
     * Cassandra, and waits for the answer as {@link #close()} does.
     *
     * <p>If two holders that share the lock convert it, each may wait for the other for ever. Pass a time-out in that case, and
     * release the lock when the time has passed.
     *
     * <p>{@link LockMode#CONCURRENT_WRITE} and {@link LockMode#PROTECTED_READ} do not cover each other. A conversion between them
     * waits for {@link LockMode#PROTECTED_WRITE} first, and then converts down to the new mode at once. Each such conversion may
     * need one more row in Cassandra. A handle has at most six rows; a further call is refused.
     *
     * @param mode the new mode; if it is the present one, nothing happens
     * @throws IllegalArgumentException if the mode is null
     * @throws UnsupportedOperationException if the algorithm does not support the mode; if the lock has several permits, or is a node
     *     of a path
     * @throws IllegalStateException if the lock was closed; if another conversion of this handle is under way; if the handle has
     *     too many slots; if this thread holds the lock by another handle for which the conversion would wait
     * @throws LockLostException if the lock is lost
     * @throws LockDeadlockException if the search for deadlocks ends this conversion; the lock is still held in the mode before
     * @throws LockStoreException if Cassandra does not answer for a lease; the lock is still held in the mode before
     * @throws LockInterruptedException if the thread is interrupted while it waits. The lock stays held in the mode before, and
     *     the thread's interrupt flag is set
     */
    @Experimental
    void convert(LockMode mode);

    /**
     * Converts the lock as {@link #convert(LockMode)} does, and waits for at most the given time.
     *
     * @param mode the new mode
     * @param timeout more than zero
     * @throws IllegalArgumentException if the mode is null, or the time is not more than zero
     * @throws LockTimeoutException if the time has passed; the lock stays held in the mode before
     */
    @Experimental
    void convert(LockMode mode, Duration timeout);

    /**
     * Converts the lock if that is possible without waiting for others, as {@link RemoteLocker#tryGetLock(String)} takes a lock.
     * May read from and write to Cassandra, and waits for the answers.
     *
     * @param mode the new mode
     * @return whether the lock has the mode now; if not, it is still held in the mode before
     */
    @Experimental
    boolean tryConvert(LockMode mode);

    /**
     * Converts the lock as {@link #convert(LockMode)} does, without blocking. A conversion that waits for another handle of its
     * owner is not refused.
     *
     * @param mode the new mode
     * @return completes when the lock has the mode; exceptionally with the exceptions of {@link #convert(LockMode)}. If the
     *     caller cancels or completes it, the conversion is given up, and never takes effect. If the lock has the mode already, the
     *     caller's method returns false, and the future completes normally. When the method returns, {@link #getMode()} is final, and
     *     another conversion may begin. Dependent actions run on a thread of the locker and must be short
     * @throws IllegalArgumentException if the mode is null
     * @throws UnsupportedOperationException if {@link #convert(LockMode)} throws this exception
     * @throws IllegalStateException if the lock was closed; if another conversion of this handle is under way
     * @throws LockLostException if the lock is lost
     */
    @Experimental
    CompletableFuture<Void> convertAsync(LockMode mode);

    /**
     * Converts the lock as {@link #convert(LockMode, Duration)} does, without blocking.
     *
     * @param mode the new mode
     * @param timeout more than zero
     * @return completes as the result of {@link #convertAsync(LockMode)}; exceptionally with {@link LockTimeoutException} after
     *     the time
     * @throws IllegalArgumentException if the mode is null, or the time is not more than zero
     * @throws UnsupportedOperationException if {@link #convert(LockMode)} throws this exception
     * @throws IllegalStateException if the lock was closed; if another conversion of this handle is under way
     * @throws LockLostException if the lock is lost
     */
    @Experimental
    CompletableFuture<Void> convertAsync(LockMode mode, Duration timeout);

    /**
     * Converts the lock as {@link #tryConvert(LockMode)} does, without blocking.
     *
     * @param mode the new mode
     * @return completes with whether the lock has the mode now
     * @throws IllegalArgumentException if the mode is null
     * @throws UnsupportedOperationException if {@link #convert(LockMode)} throws this exception
     * @throws IllegalStateException if the lock was closed; if another conversion of this handle is under way
     * @throws LockLostException if the lock is lost
     */
    @Experimental
    CompletableFuture<Boolean> tryConvertAsync(LockMode mode);

    /**
     * Returns the name of this acquisition. It is unique among all acquisitions of all processes. The thesis
     * (docs/thesis.md) calls it the thread id.
     *
     * @return the name
     */
    String getThreadId();

    /**
     * Reads the value of the lock: a few bytes from earlier holders, in all processes. It remains until a holder sets another
     * value, and does not expire.
     *
     * <p>In the modes {@link LockMode#PROTECTED_WRITE} and {@link LockMode#EXCLUSIVE}, the call begins a change. Call this method
     * or {@link #writeValue(byte[])} <em>before</em> you change what the value describes. If the holder then crashes or loses the lock,
     * the next holder finds the value {@linkplain LockValue#isDoubtful() doubtful}. Otherwise the change ends when the lock is
     * closed, or converted to another mode than these two. That needs one more write to Cassandra, before another holder gets the
     * lock. With {@link LockRequest#holdAtLeast(java.time.Duration)}, it ends when that time has passed.
     *
     * <p>The call may read from and write to Cassandra, and wait for at most one lease. In the other modes, each call reads.
     *
     * @return the value; empty if there never was one
     * @throws UnsupportedOperationException if the algorithm keeps no values (all but {@code ticket})
     * @throws LockLostException if the lock is lost
     * @throws LockStoreException if Cassandra does not answer within one lease. The lock is still held, and the caller may call
     *     again. If a change was to begin, the next holder may find the value doubtful
     * @throws LockInterruptedException if the thread is interrupted while it waits. The lock is still held, and the thread's
     *     interrupt flag is set
     * @throws IllegalStateException if the lock was closed, or its mode is {@link LockMode#NULL}
     */
    @Experimental
    LockValue readValue();

    /**
     * Reads the value of the lock as {@link #readValue()} does, without blocking.
     *
     * @return completes with the value; exceptionally with the exceptions of {@link #readValue()}. If the caller cancels or
     *     completes it, the locker no longer waits for the answer. Dependent actions run on a thread of the locker and must be
     *     short
     * @throws UnsupportedOperationException if the algorithm keeps no values
     * @throws LockLostException if the lock is lost already
     * @throws IllegalStateException if the lock was closed, or its mode is {@link LockMode#NULL}
     */
    @Experimental
    CompletableFuture<LockValue> readValueAsync();

    /**
     * Sets the value of the lock. It is stored, and visible to others, when the change ends ({@link #readValue()}). Until then
     * only this handle sees it. If the lock is lost before, the value is not stored. The first call of this method or of {@link
     * #readValue()} in these modes may read from and write to Cassandra. It waits for at most one lease.
     *
     * <p>Throws what {@link #readValue()} throws. If it throws while the lock is held, the new value is not stored.
     *
     * @param bytes at most {@link LockValue#MAX_BYTES} bytes; copied
     * @throws IllegalArgumentException if the bytes are null, or too many
     * @throws IllegalStateException if the lock was closed, or its mode is neither {@link LockMode#PROTECTED_WRITE} nor {@link
     *     LockMode#EXCLUSIVE}
     */
    @Experimental
    void writeValue(byte[] bytes);

    /**
     * Sets the value of the lock as {@link #writeValue(byte[])} does, without blocking.
     *
     * @param bytes at most {@link LockValue#MAX_BYTES} bytes; copied
     * @return completes when the value is set; exceptionally with the exceptions of {@link #readValue()}: then the value is not set. If
     *     the caller cancels or completes it before, the value is not set either. Dependent actions run on a thread of the locker
     *     and must be short
     * @throws IllegalArgumentException if the bytes are null, or too many
     * @throws UnsupportedOperationException if the algorithm keeps no values
     * @throws LockLostException if the lock is lost already
     * @throws IllegalStateException as {@link #writeValue(byte[])} throws it
     */
    @Experimental
    CompletableFuture<Void> writeValueAsync(byte[] bytes);

    /**
     * Returns whether the work for this period has to run. It has to run if the period is later than the last period completed by
     * any process under this lock. Reads from Cassandra, and waits for at most one lease. Stores nothing, so work that fails or
     * crashes before {@link #completePeriod(Comparable)} runs again.
     *
     * <pre>{@code
     * if (lock.beginPeriod(today)) {
     *     bill(today);
     *     lock.completePeriod(today);
     * }
     * }</pre>
     *
     * <p>The last completed period is the value of the lock. Such a lock has no other value: {@link #readValue()} and {@link
     * #writeValue(byte[])} throw {@link IllegalStateException}.
     *
     * @param period a {@code LocalDate}, {@code LocalDateTime}, {@code Instant}, {@code YearMonth}, {@code Year}, an integer or a
     *     text. All periods of a lock are of one type; integers of all sizes are one type
     * @return false if this period or a later one is completed
     * @throws IllegalArgumentException if the period is null, of another type, a blank text, or longer than about 1,000 bytes
     * @throws UnsupportedOperationException if the algorithm keeps no values (all but {@code ticket})
     * @throws LockLostException if the lock is lost
     * @throws LockStoreException if Cassandra does not answer for a lease; the lock is still held
     * @throws LockInterruptedException if the thread is interrupted while it waits; the lock is still held, and the thread's
     *     interrupt flag is set
     * @throws IllegalStateException if the lock was closed; if its mode is neither {@link LockMode#PROTECTED_WRITE} nor {@link
     *     LockMode#EXCLUSIVE}, or the last completed period is of another type; if the lock's value is no period
     */
    boolean beginPeriod(Comparable<?> period);

    /**
     * Returns what {@link #beginPeriod(Comparable)} returns, without blocking.
     *
     * @param period as for {@link #beginPeriod(Comparable)}
     * @return completes with the answer; exceptionally with the exceptions of {@link #beginPeriod(Comparable)}. Dependent actions
     *     run on a thread of the locker and must be short
     */
    CompletableFuture<Boolean> beginPeriodAsync(Comparable<?> period);

    /**
     * Records that the work for this period is completed. When the method returns, the record is stored, and each later holder in
     * any process finds it. Writes to Cassandra, and waits for at most one lease.
     *
     * <p>If the method throws {@link LockLostException}, {@link LockStoreException} or {@link LockInterruptedException}, the record
     * may be stored or not. If it is not stored, the work for the period runs again. While the lock is held, the call may be
     * repeated: a period that is recorded already is recorded again.
     *
     * @param period as for {@link #beginPeriod(Comparable)}
     * @throws IllegalStateException if a later period is recorded, and in the cases of {@link #beginPeriod(Comparable)}
     */
    void completePeriod(Comparable<?> period);

    /**
     * Records that the work for this period is completed, as {@link #completePeriod(Comparable)} does, without blocking.
     *
     * @param period as for {@link #beginPeriod(Comparable)}
     * @return completes when the record is stored; exceptionally with the exceptions of {@link #completePeriod(Comparable)}. If the
     *     caller cancels or completes it, the record may be stored or not. Dependent actions run on a thread of the locker and must
     *     be short
     */
    CompletableFuture<Void> completePeriodAsync(Comparable<?> period);

    /**
     * Bounds the rest of the hold: the lock is lost when this time has passed from now on. It replaces the bound of {@link
     * LockRequest#holdAtMost(Duration)} or of an earlier call, so it can extend the hold. A minimum time of the request still
     * counts. A lock that is lost sooner stays taken until that time has passed. Does nothing if the lock is closed or lost. Does
     * no I/O and does not block.
     *
     * @param atMost from one millisecond to {@link LockRequest#MAX_HOLD_AT_MOST}
     * @throws IllegalArgumentException if the time is null or outside these bounds
     */
    void holdAtMost(Duration atMost);

    /**
     * Declares that only one thread will close the lock. The lock is abandoned if that thread ends before it has closed it. A
     * warning then names the lock, and it is released if {@code cassandra-lock.release-abandoned} is true. Does nothing by default;
     * does not block.
     *
     * @param thread which will close the lock
     */
    default void bindTo(Thread thread) {}

    /**
     * Releases the lock. Idempotent: a further call does not send another request, but may wait for the release under way.
     *
     * <p>Blocks until the request to release has been answered or has failed, for at most one lease. Does not wait if another
     * thread of the process takes the lock over, or queues again in its place. Throws nothing if the lock is lost or if Cassandra
     * does not answer. The locker then repeats the release in the background. The lock is free when a repetition succeeds. If the
     * process ends before that, the lock is free as after a crash ({@link RemoteLocker}). If the thread is interrupted, the
     * method returns with the interrupt flag set, and the release continues in the background.
     *
     * <p>The method does not wait if the process exchanges notices ({@code cassandra-lock.notices.enabled}). It returns when the
     * lock has ended locally and notices to waiting callers are sent. The release is written later. If the process crashes before
     * that, a waiting call gets the lock after at most one and a half leases. Closing the locker waits for these writes.
     *
     * <p>A minimum time ({@link LockRequest#holdAtLeast(java.time.Duration)}) may not have passed since the grant. The method
     * then returns at once, and {@link #isHeld()} is false. The locker releases the lock when the time has passed. Until then
     * nobody gets it, not even the thread that closed it.
     */
    @Override
    void close();

    /**
     * Releases the lock as {@link #close()} does, without blocking.
     *
     * @return completes, never exceptionally, when the release has been acknowledged or continues in the background. If the caller
     *     cancels or completes it, the release continues. Dependent actions run on a thread of the locker and must be short
     */
    CompletableFuture<Void> closeAsync();
}
