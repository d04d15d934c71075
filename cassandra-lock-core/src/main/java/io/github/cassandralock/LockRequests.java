package io.github.cassandralock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
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

    private static final String LOCK_IDS = "lock ids";
    private static final String REQUESTS = "lock requests";

    private final List<LockRequest> inOrder;

    private LockRequests(List<LockRequest> inOrder) {
        this.inOrder = inOrder;
    }

    /**
     * Returns a request for these locks in mode {@link LockMode#EXCLUSIVE}, without a minimum time.
     *
     * @param lockIds the names of the resources, in any order; a name that occurs more than once counts once
     * @return the request
     * @throws IllegalArgumentException if the collection is null, empty, or has more than {@link #MOST} names, or if a name is
     *     not a valid lock id ({@link LockRequest#of(String)})
     */
    public static LockRequests of(Collection<String> lockIds) {
        if (lockIds == null) {
            throw nothing(LOCK_IDS, "null");
        }
        return of(lockIds.stream().map(LockRequest::of), LOCK_IDS);
    }

    /**
     * Returns a request for the locks of these requests, each in its own mode and with its own minimum time. A lock that occurs
     * more than once is taken once, with the longest of its minimum times, and in the least mode that covers all its modes
     * ({@link LockMode#covers(LockMode)}): {@link LockMode#CONCURRENT_WRITE} and {@link LockMode#PROTECTED_READ} become {@link
     * LockMode#PROTECTED_WRITE}.
     *
     * <pre>{@code
     * LockRequests.ofAll(List.of(
     *         LockRequest.of("prices").mode(LockMode.PROTECTED_READ),
     *         LockRequest.of("order:42")));
     * }</pre>
     *
     * @param requests which locks, in any order, and how they are to be held
     * @return the request
     * @throws IllegalArgumentException if the collection is null, empty, contains null, or is for more than {@link #MOST} locks
     */
    public static LockRequests ofAll(Collection<LockRequest> requests) {
        if (requests == null) {
            throw nothing(REQUESTS, "null");
        }
        return of(requests.stream().map(LockRequests::checked), REQUESTS);
    }

    private static LockRequests of(Stream<LockRequest> requests, String what) {
        SortedMap<String, LockRequest> byId = new TreeMap<>();
        requests.forEach(request -> byId.merge(request.lockId(), request, LockRequest::together));
        if (byId.isEmpty()) {
            throw nothing(what, "empty");
        }
        if (byId.size() > MOST) {
            throw new IllegalArgumentException(
                    "The request is for " + byId.size() + " locks, from '" + byId.firstKey() + "' on; at most " + MOST
                            + " are allowed: lock fewer resources, or one that stands for all of them");
        }
        return new LockRequests(List.copyOf(byId.values()));
    }

    private static LockRequest checked(@Nullable LockRequest request) {
        if (request == null) {
            throw new IllegalArgumentException("One of the lock requests is null; name the resource to lock, e.g."
                    + " LockRequest.of(\"account:42\")");
        }
        return request;
    }

    private static IllegalArgumentException nothing(String what, String how) {
        return new IllegalArgumentException("The collection of " + what + " is " + how
                + "; name at least one resource to lock, e.g. List.of(\"account:7\", \"account:42\")");
    }

    /**
     * Returns the same request with one mode for all locks.
     *
     * @param asked how each of the locks is to be held
     * @return a copy with this mode
     * @throws IllegalArgumentException if the mode is null
     * @see LockRequest#mode(LockMode)
     */
    public LockRequests mode(LockMode asked) {
        return new LockRequests(
                inOrder.stream().map(request -> request.mode(asked)).toList());
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
