package io.github.cassandralock.spi;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockValue;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A lock that an algorithm has granted, with its lease. No method blocks. Thread-safe. */
public interface Grant {

    /**
     * Returns whether the lease is valid now, by the monotonic clock of this process.
     *
     * @return once false, never true again
     */
    boolean isValid();

    /**
     * Reports the loss of the lease.
     *
     * @return completes with the reason when the lease is lost; never, if the grant is released first
     */
    CompletionStage<LockLoss> getLoss();

    /**
     * Returns a number higher than the tokens of all earlier holders in incompatible modes. May write to the store.
     *
     * @return completes with the token; exceptionally if the store fails
     * @throws UnsupportedOperationException if the algorithm has no tokens; the message names an algorithm that has them
     */
    CompletionStage<Long> reserveFencingToken();

    /**
     * Reports that somebody else waits for the lock. Each call begins a new check.
     *
     * @return completes when a waiter is seen while the lock is held; otherwise never. By default never
     */
    default CompletionStage<Void> watchContention() {
        return new CompletableFuture<>();
    }

    /**
     * Returns the mode in which the lock is held now.
     *
     * @return empty, the default, if the algorithm converts no locks: the lock is then held in the requested mode
     */
    default Optional<LockMode> getMode() {
        return Optional.empty();
    }

    /**
     * Begins to convert the lock to another mode. The lock has the mode as soon as the attempt ends with this grant. For others,
     * a weaker mode may count from now on. If the mode is not weaker, the lock stays held as it is unless the attempt ends with this
     * grant. One conversion is under way at a time.
     *
     * <p>The conversion is decided when {@link Attempt#giveUp()} of the attempt returns. {@link #getMode()} then does not change
     * until the next conversion.
     *
     * @param mode one that the algorithm supports
     * @return the attempt, which has begun; it ends exceptionally if the grant is released or lost
     * @throws UnsupportedOperationException if the algorithm cannot convert locks, which is the default
     */
    default Attempt convert(LockMode mode) {
        throw new UnsupportedOperationException("This lock cannot be converted to mode " + mode
                + ": its algorithm does not implement Grant.convert. Release the lock, and take it in that mode");
    }

    /**
     * Begins to convert the lock; the attempt ends with empty if the lock cannot have the mode at once. By default it is {@link
     * #convert(LockMode)}. An algorithm whose conversions wait for others implements this method.
     *
     * @param mode one that the algorithm supports
     * @return the attempt, which has begun
     * @throws UnsupportedOperationException if the algorithm cannot convert locks, which is the default
     */
    default Attempt tryConvert(LockMode mode) {
        return convert(mode);
    }

    /**
     * Returns the value of the lock. In a mode that permits to write the value, this opens a change. The change ends with the
     * release, or with a conversion to a mode that does not permit it. May read from and write to the store. The locker never calls
     * it in mode {@link LockMode#NULL}.
     *
     * @return completes with the value; exceptionally if the store fails, or the grant is released or lost meanwhile
     * @throws UnsupportedOperationException if the algorithm keeps no values, which is the default
     */
    default CompletionStage<LockValue> readValue() {
        throw noValue();
    }

    /**
     * Opens a change of the lock's value, if none is open, and sets what the end of the change stores.
     *
     * @param bytes at most {@link LockValue#MAX_BYTES}; copied
     * @return completes when the change is open and the bytes are set. Completes exceptionally if the store fails, the mode does
     *     not allow it, or the grant is released or lost meanwhile
     * @throws UnsupportedOperationException if the algorithm keeps no values, which is the default
     */
    default CompletionStage<Void> writeValue(byte[] bytes) {
        throw noValue();
    }

    /**
     * Returns the stored value, and opens no change.
     *
     * @return completes with the value; exceptionally if the store fails, or the grant is released or lost meanwhile
     * @throws UnsupportedOperationException if the algorithm keeps no values, which is the default
     */
    default CompletionStage<LockValue> readStoredValue() {
        throw noValue();
    }

    /**
     * Opens a change of the lock's value, if none is open, sets the bytes, and ends the change at once. The mode must permit to
     * write the value. Bytes that are stored already are stored again.
     *
     * @param bytes at most {@link LockValue#MAX_BYTES}; copied
     * @return completes when the store has acknowledged the bytes and the grant is still valid. Otherwise completes
     *        exceptionally, and the bytes may be stored or not. The algorithm {@code ticket} stores no period if the present
     *        value is a later period, or no period. It then completes with an {@link IllegalStateException}
     * @throws UnsupportedOperationException if the algorithm keeps no values, which is the default
     */
    default CompletionStage<Void> storeValue(byte[] bytes) {
        throw noValue();
    }

    private static UnsupportedOperationException noValue() {
        return new UnsupportedOperationException(
                "This lock has no value: its algorithm keeps none. Use the algorithm 'ticket'"
                        + " (cassandra-lock.algorithm=ticket), or store the data in a table of your own");
    }

    /**
     * Reports that the holder was stopped within its work. The release then does not close an open change of the value. Does
     * nothing by default.
     */
    default void leaveValueOpen() {}

    /**
     * Declares the lease lost although it is still valid, for example at shutdown, so that its holder stops. {@link
     * #isValid()} is false from now on. Sends nothing to the store: the lock stays taken until {@link #release()}, or until its
     * lease is over. A closing locker abandons all its grants at once, and releases few of them at a time.
     *
     * @param loss the value with which {@link #getLoss()} completes
     */
    void abandon(LockLoss loss);

    /**
     * Reports that the holder no longer needs the lock. The lock stays taken for its minimum time until the locker releases it.
     * Nobody waits for the holder any more, and the value that it has set can be stored. Does nothing by default.
     */
    default void markFinished() {}

    /**
     * Stops the renewal of the lease and frees the lock. Idempotent.
     *
     * @return completes, never exceptionally, when the release has been acknowledged or continues in the background
     */
    CompletionStage<Void> release();

    /**
     * Stops the renewal of the lease, but keeps the lock taken for at least the given time. This holds even though the process
     * ends. The closing locker calls it in place of {@link #release()} for a lock that must not be free yet. Does nothing after
     * {@link #release()}. By default the lease stays as it is, and others get the lock as after a crash.
     *
     * @param atLeast more than zero
     * @return completes, never exceptionally, when what keeps others out has been written, or could not be written
     */
    default CompletionStage<Void> keepTaken(Duration atLeast) {
        return CompletableFuture.completedFuture(null);
    }
}
