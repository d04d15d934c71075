package io.github.cassandralock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to a {@link RemoteLocker}: the id of a lock, and how it is to be held.
 *
 * <pre>{@code
 * LockRequest nightly = LockRequest.of("nightly").holdAtLeast(Duration.ofSeconds(10));
 * locker.tryGetLock(nightly).ifPresent(lock -> { ... });
 * }</pre>
 *
 * <p>Immutable and thread-safe: a request may be used any number of times. Two requests are equal if all their values are equal.
 */
public final class LockRequest {

    /** The longest minimum time of a hold: one day. A longer time is most likely a wrong unit, and would block the lock. */
    public static final Duration MAX_HOLD_AT_LEAST = Duration.ofDays(1);

    /** The longest bound of a hold: 365 days. A longer time is most likely a wrong unit. */
    public static final Duration MAX_HOLD_AT_MOST = Duration.ofDays(365);

    /** The highest number of permits. Each holder has a row of the lock, which all that wait read. */
    public static final int MAX_PERMITS = 128;

    private static final Duration MIN_HOLD_AT_MOST = Duration.ofMillis(1);

    private final String lockId;
    private final LockMode mode;
    private final Duration holdAtLeast;
    private final @Nullable Duration holdAtMost;
    private final @Nullable LockOwner owner;
    private final @Nullable LockPath path;
    private final int permits;

    private LockRequest(
            String lockId,
            LockMode mode,
            Duration holdAtLeast,
            @Nullable Duration holdAtMost,
            @Nullable LockOwner owner,
            @Nullable LockPath path,
            int permits) {
        if (permits > 1 && (mode != LockMode.EXCLUSIVE || path != null)) {
            throw new IllegalArgumentException("Lock '" + lockId + "' is requested with " + permits + " permits"
                    + (path == null ? " in mode " + mode : " as a node of a path")
                    + ": permits are for ids in mode EXCLUSIVE only. Request the lock by its id in that mode, or without"
                    + " permits");
        }
        if (holdAtMost != null && holdAtMost.compareTo(holdAtLeast) < 0) {
            throw new IllegalArgumentException("Lock '" + lockId + "' is requested with holdAtMost " + holdAtMost
                    + ", which is shorter than its holdAtLeast " + holdAtLeast
                    + "; choose a holdAtMost that is longer than the work, or a shorter holdAtLeast");
        }
        this.lockId = lockId;
        this.mode = mode;
        this.holdAtLeast = holdAtLeast;
        this.holdAtMost = holdAtMost;
        this.owner = owner;
        this.path = path;
        this.permits = permits;
    }

    /**
     * Returns a request for a lock in mode {@link LockMode#EXCLUSIVE}, without a minimum time.
     *
     * @param lockId the name of the resource: 1 to 512 bytes in UTF-8, with a visible character. It has no control or
     *        bidirectional characters, line separators, soft hyphens, byte order marks, or unpaired surrogates
     * @return the request
     * @throws IllegalArgumentException if the lock id is outside these bounds; the message names the bound
     */
    public static LockRequest of(String lockId) {
        return new LockRequest(LockIdRules.check(lockId), LockMode.EXCLUSIVE, Duration.ZERO, null, null, null, 1);
    }

    /** A request for one node of a hierarchy, in mode {@link LockMode#EXCLUSIVE}. */
    static LockRequest ofNode(LockPath path) {
        return new LockRequest(path.getLockId(), LockMode.EXCLUSIVE, Duration.ZERO, null, null, path, 1);
    }

    /**
     * Returns this request with a mode: others may hold the lock at the same time, in compatible modes. The algorithm {@code
     * ticket} has all modes. {@code majority}, {@code queue}, {@code shadow} and {@code migration} have {@link
     * LockMode#EXCLUSIVE} only, and refuse other modes.
     *
     * @param asked how the lock is to be held
     * @return a copy with this mode
     * @throws IllegalArgumentException if the mode is null
     */
    public LockRequest mode(LockMode asked) {
        return new LockRequest(lockId, checked(lockId, asked), holdAtLeast, holdAtMost, owner, path, permits);
    }

    private static LockMode checked(String lockId, @Nullable LockMode mode) {
        if (mode == null) {
            throw new IllegalArgumentException(
                    "The mode for lock '" + lockId
                            + "' is null; name one, e.g. LockMode.PROTECTED_READ for readers or LockMode.EXCLUSIVE for writers");
        }
        return mode;
    }

    /**
     * Returns this request with a minimum time. The lock stays taken for at least this long after the grant, even if its holder
     * closes it sooner. A minimum time is for jobs that each instance of an application starts at one time of day. An instance
     * that is slow, or whose clock is behind, still finds the lock taken.
     *
     * <p>{@link RemoteLock#close()} still returns at once, and the holder no longer holds the lock. The monotonic clock of this
     * process measures the time. A locker that is closed waits for the rest of the time, for at most ten seconds. A lock that has
     * to stay taken for longer then frees itself later. The time ends early if the lease is lost, the lock is force-released, or
     * the process crashes. Until the time ends, no caller gets the lock in an incompatible mode, not even the thread that had it.
     *
     * @param atLeast from zero, which means no minimum, to {@link #MAX_HOLD_AT_LEAST}
     * @return a copy with this minimum
     * @throws IllegalArgumentException if the time is null, negative, or longer than a day
     */
    public LockRequest holdAtLeast(Duration atLeast) {
        return new LockRequest(lockId, mode, checked(lockId, atLeast), holdAtMost, owner, path, permits);
    }

    private static Duration checked(String lockId, @Nullable Duration atLeast) {
        if (atLeast == null || atLeast.isNegative() || atLeast.compareTo(MAX_HOLD_AT_LEAST) > 0) {
            throw new IllegalArgumentException("The minimum time holdAtLeast " + atLeast + " for lock '" + lockId
                    + "' is not from zero to " + MAX_HOLD_AT_LEAST.toHours()
                    + " hours; choose one that is shorter than the time between two runs of the job");
        }
        return atLeast;
    }

    /**
     * Returns this request with a longest time: the lock is lost this long after the grant, although its process lives. A longest
     * time is for work that may hang. The loss is reported like any other: {@link RemoteLock#isHeld()} is false, callbacks of
     * {@link RemoteLock#onLost} run, and another caller gets the lock. The work itself is not interrupted. The monotonic clock of
     * this process measures the time. A conversion of the lock does not restart the time. If the process crashes, its lease
     * bounds the hold.
     *
     * @param atMost at least one millisecond and at least the minimum time of this request, and at most {@link #MAX_HOLD_AT_MOST}
     * @return a copy with this bound
     * @throws IllegalArgumentException if the time is null or outside these bounds
     */
    public LockRequest holdAtMost(Duration atMost) {
        return new LockRequest(lockId, mode, holdAtLeast, checkedAtMost(lockId, atMost), owner, path, permits);
    }

    private static Duration checkedAtMost(String lockId, @Nullable Duration atMost) {
        if (atMost == null || atMost.compareTo(MIN_HOLD_AT_MOST) < 0 || atMost.compareTo(MAX_HOLD_AT_MOST) > 0) {
            throw new IllegalArgumentException("The longest time holdAtMost " + atMost + " for lock '" + lockId
                    + "' is not from one millisecond to " + MAX_HOLD_AT_MOST.toDays()
                    + " days; choose one that is longer than the work under the lock takes");
        }
        return atMost;
    }

    /**
     * Returns this request with an owner. The locker refuses a request at once if its owner would wait for itself on any thread.
     *
     * @param asking the owner of the lock
     * @return a copy with this owner
     * @throws IllegalArgumentException if the owner is null
     */
    public LockRequest owner(LockOwner asking) {
        if (asking == null) {
            throw new IllegalArgumentException(
                    "The owner for lock '" + lockId
                            + "' is null; pass one of LockOwner.named(…), or leave it out: then the calling thread is the owner");
        }
        return new LockRequest(lockId, mode, holdAtLeast, holdAtMost, asking, path, permits);
    }

    /**
     * Returns this request for a lock that has permits: so many callers in all processes may hold it at once. They get it in the
     * order of their requests. Each of them holds it like any other lock: with a lease, a loss, a minimum and a longest time.
     *
     * <p>All callers should use the same number. A call without permits counts as one with a single permit, so it holds the
     * lock alone. The numbers may differ while a new version is rolled out. Then each caller uses the smallest number that it
     * sees, and logs a warning. There are never more holders than the smallest number that one of the holders has.
     *
     * <p>With several holders at a time, fencing tokens cannot order their writes. {@link RemoteLock#reserveFencingToken()}
     * throws. The methods for the value and the periods of the lock, and conversions, throw as well. The algorithm {@code ticket}
     * has permits; others refuse the request. An owner that holds a permit cannot wait for another one of the same lock.
     *
     * @param number of permits, from one, which is the default, to {@link #MAX_PERMITS}
     * @return a copy with this number
     * @throws IllegalArgumentException if the number is outside these bounds; if there are several permits, and the mode is not
     *     {@link LockMode#EXCLUSIVE} or the lock is a node of a path
     */
    public LockRequest permits(int number) {
        if (number < 1 || number > MAX_PERMITS) {
            throw new IllegalArgumentException("Lock '" + lockId + "' is requested with " + number
                    + " permits, which is not from one to " + MAX_PERMITS
                    + "; pass how many callers may hold the lock at the same time");
        }
        return new LockRequest(lockId, mode, holdAtLeast, holdAtMost, owner, path, number);
    }

    /**
     * The request for both. It has the least mode that covers both modes; the longer minimum time; the shorter longest time; and
     * the fewer permits. The two do not name different owners.
     */
    LockRequest together(LockRequest other) {
        return new LockRequest(
                lockId,
                mode.leastCovering(other.mode),
                holdAtLeast.compareTo(other.holdAtLeast) < 0 ? other.holdAtLeast : holdAtLeast,
                shorter(holdAtMost, other.holdAtMost),
                owner == null ? other.owner : owner,
                path == null ? other.path : path,
                Math.min(permits, other.permits));
    }

    private static @Nullable Duration shorter(@Nullable Duration one, @Nullable Duration other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Returns the name of the resource.
     *
     * @return the lock id
     */
    public String getLockId() {
        return lockId;
    }

    /**
     * Returns the requested mode.
     *
     * @return the mode; {@link LockMode#EXCLUSIVE} by default
     */
    public LockMode getMode() {
        return mode;
    }

    /**
     * Returns how many callers may hold the lock at once.
     *
     * @return the number of permits; 1 by default
     */
    public int getPermits() {
        return permits;
    }

    /**
     * Returns the shortest time for which the lock stays taken.
     *
     * @return the minimum time; zero if there is none
     */
    public Duration getHoldAtLeast() {
        return holdAtLeast;
    }

    /**
     * Returns the time after which the lock is lost.
     *
     * @return empty if there is no such time
     */
    public Optional<Duration> getHoldAtMost() {
        return Optional.ofNullable(holdAtMost);
    }

    /**
     * Returns the owner that the request names.
     *
     * @return empty if it names none: a call that blocks then belongs to its thread, and an asynchronous call to nobody
     */
    public Optional<LockOwner> getOwner() {
        return Optional.ofNullable(owner);
    }

    /**
     * Returns the requested node of a hierarchy.
     *
     * @return empty unless the request is a part of {@link MultiLockRequest#ofPath(LockPath)} or {@link
     *     MultiLockRequest#ofPaths(java.util.Map)}
     */
    @Experimental
    public Optional<LockPath> getPath() {
        return Optional.ofNullable(path);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockRequest request
                && lockId.equals(request.lockId)
                && mode == request.mode
                && holdAtLeast.equals(request.holdAtLeast)
                && Objects.equals(holdAtMost, request.holdAtMost)
                && Objects.equals(owner, request.owner)
                && Objects.equals(path, request.path)
                && permits == request.permits;
    }

    @Override
    public int hashCode() {
        return Objects.hash(lockId, mode, holdAtLeast, holdAtMost, owner, path, permits);
    }

    @Override
    public String toString() {
        return "LockRequest[lockId=" + lockId + ", mode=" + mode + ", holdAtLeast=" + holdAtLeast
                + (holdAtMost == null ? "" : ", holdAtMost=" + holdAtMost)
                + (permits == 1 ? "" : ", permits=" + permits)
                + (owner == null ? "]" : ", owner=" + owner + "]");
    }
}
