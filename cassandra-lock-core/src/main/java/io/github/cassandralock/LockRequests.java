package io.github.cassandralock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks a {@link RemoteLocker} for when it needs several locks at the same time: the locks by their ids, and how
 * they are to be held.
 *
 * <pre>{@code
 * LockRequests transfer = LockRequests.of(List.of("account:42", "account:7"));
 * try (RemoteLocks accounts = locker.getLocks(transfer, Duration.ofSeconds(5))) { ... }
 * }</pre>
 *
 * <p>The locks are taken one after the other in the order of {@link #inOrder()}, which is the same in all processes. Therefore
 * callers that take all their locks by one request never wait for each other in a circle.
 *
 * <p>Immutable, and therefore thread-safe: a request may be kept and used any number of times. Two requests are equal if they
 * ask for the same.
 */
public final class LockRequests {

    /** The highest number of locks in one request. They are taken one after the other, so more would take very long. */
    public static final int MOST = 1_000;

    private final List<LockRequest> inOrder;

    private LockRequests(List<LockRequest> inOrder) {
        this.inOrder = inOrder;
    }

    /**
     * Returns a request for these locks without a minimum time.
     *
     * @param lockIds the names of the resources, in any order; a name that occurs more than once counts once
     * @return the request
     * @throws IllegalArgumentException if the collection is null, empty, or has more than {@link #MOST} names, or if a name is
     *     not a valid lock id ({@link LockRequest#of(String)})
     */
    public static LockRequests of(Collection<String> lockIds) {
        return new LockRequests(distinct(lockIds).stream().map(LockRequest::of).toList());
    }

    private static SortedSet<String> distinct(@Nullable Collection<String> lockIds) {
        if (lockIds == null) {
            throw nothing("null");
        }
        SortedSet<String> distinct = new TreeSet<>();
        for (String lockId : lockIds) {
            distinct.add(LockIdRules.check(lockId));
        }
        if (distinct.isEmpty()) {
            throw nothing("empty");
        }
        if (distinct.size() > MOST) {
            throw new IllegalArgumentException(
                    "The request is for " + distinct.size() + " locks, from '" + distinct.first() + "' on; at most "
                            + MOST + " are allowed: lock fewer resources, or one that stands for all of them");
        }
        return distinct;
    }

    private static IllegalArgumentException nothing(String what) {
        return new IllegalArgumentException("The collection of lock ids is " + what
                + "; name at least one resource to lock, e.g. List.of(\"account:7\", \"account:42\")");
    }

    /**
     * Returns the same request with a minimum time for each lock. It counts only if all locks are taken: if the request fails
     * or is refused, the locks that were taken for it are released at once.
     *
     * @param atLeast from zero, which means no minimum, to {@link LockRequest#LONGEST_HOLD_AT_LEAST}
     * @return a copy with this minimum
     * @throws IllegalArgumentException if the time is null, negative, or longer than a day
     * @see LockRequest#holdAtLeast(Duration)
     */
    public LockRequests holdAtLeast(Duration atLeast) {
        return new LockRequests(
                inOrder.stream().map(request -> request.holdAtLeast(atLeast)).toList());
    }

    /**
     * Returns one request for each lock, in the order in which the locks are taken: that of {@link String#compareTo(String)}.
     *
     * @return an immutable list, never empty
     */
    public List<LockRequest> inOrder() {
        return inOrder;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockRequests requests && inOrder.equals(requests.inOrder);
    }

    @Override
    public int hashCode() {
        return inOrder.hashCode();
    }

    @Override
    public String toString() {
        return "LockRequests" + inOrder;
    }
}
