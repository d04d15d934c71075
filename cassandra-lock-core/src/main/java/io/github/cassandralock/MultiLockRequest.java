package io.github.cassandralock;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request to a {@link RemoteLocker} for several locks at once: their ids, and how they are to be held.
 *
 * <pre>{@code
 * MultiLockRequest transfer = MultiLockRequest.of(List.of("account:42", "account:7"));
 * try (RemoteLocks accounts = locker.getLocks(transfer, Duration.ofSeconds(5))) { ... }
 * }</pre>
 *
 * <p>The locks are taken in the order of {@link #getRequests()}, which is equal in all processes. Therefore callers that take all
 * their locks by one request never wait for each other in a cycle.
 *
 * <p>Immutable and thread-safe: a request may be used any number of times. Two requests are equal if all their locks are requested
 * equally.
 */
public final class MultiLockRequest {

    /** The highest number of locks in one request. They are taken in order, so more would take very long. */
    public static final int MAX_LOCKS = 1_000;

    /** What a collection contains, with an example for the message about an empty collection. */
    private enum Names {
        LOCK_IDS("lock ids", "List.of(\"account:7\", \"account:42\")"),
        REQUESTS("lock requests", "LockRequest.of(\"account:42\")"),
        PATHS("lock paths", "LockPath.of(\"bank\", \"accounts\", \"42\")");

        private final String text;
        private final String example;

        Names(String text, String example) {
            this.text = text;
            this.example = example;
        }
    }

    private final List<LockRequest> inOrder;

    /** The paths that the request names, without the nodes above them; empty if it names lock ids. */
    private final SortedMap<LockPath, LockMode> paths;

    private MultiLockRequest(List<LockRequest> inOrder, SortedMap<LockPath, LockMode> paths) {
        this.inOrder = inOrder;
        this.paths = paths;
    }

    /**
     * Returns a request for these locks in mode {@link LockMode#EXCLUSIVE}, without a minimum time.
     *
     * @param lockIds the names of the resources, in any order; a name that occurs more than once counts once
     * @return the request
     * @throws IllegalArgumentException if the collection is null or empty, or has more than {@link #MAX_LOCKS} names; if a name
     *        is no valid lock id ({@link LockRequest#of(String)})
     */
    public static MultiLockRequest of(Collection<String> lockIds) {
        if (lockIds == null) {
            throw nothing(Names.LOCK_IDS, "null");
        }
        return new MultiLockRequest(
                merged(lockIds.stream().map(LockRequest::of), Names.LOCK_IDS), Collections.emptySortedMap());
    }

    /**
     * Returns a request for the locks of these requests, each in its own mode and with its own minimum time. A lock that occurs
     * more than once is taken once, with its longest minimum time. Its mode is the least that covers all its modes ({@link
     * LockMode#covers(LockMode)}): {@link LockMode#CONCURRENT_WRITE} and {@link LockMode#PROTECTED_READ} become {@link
     * LockMode#PROTECTED_WRITE}. It has the fewest of its permits.
     *
     * <pre>{@code
     * MultiLockRequest.ofAll(List.of(
     *         LockRequest.of("prices").mode(LockMode.PROTECTED_READ),
     *         LockRequest.of("order:42")));
     * }</pre>
     *
     * @param requests which locks, in any order, and how they are to be held
     * @return the request
     * @throws IllegalArgumentException if the collection is null or empty, contains null, or is for more than {@link #MAX_LOCKS}
     *        locks; if two requests name different owners
     */
    public static MultiLockRequest ofAll(Collection<LockRequest> requests) {
        if (requests == null) {
            throw nothing(Names.REQUESTS, "null");
        }
        List<LockRequest> all = requests.stream()
                .map(request -> checked(request, Names.REQUESTS))
                .toList();
        List<LockRequest> inOrder = merged(all.stream().flatMap(MultiLockRequest::withNodesAbove), Names.REQUESTS);
        SortedMap<LockPath, LockMode> named = new TreeMap<>();
        all.forEach(request -> request.getPath()
                .filter(path -> !isThereForOthers(path, request.getMode(), all))
                .ifPresent(path -> named.merge(path, request.getMode(), LockMode::leastCovering)));
        return new MultiLockRequest(inOrder, Collections.unmodifiableSortedMap(named));
    }

    /**
     * Returns a request for a part of a hierarchy in mode {@link LockMode#EXCLUSIVE}; {@link #mode(LockMode)} changes the mode. The
     * nodes above it are locked first, from the top to the bottom, in the {@linkplain LockMode#getIntention() mode of the
     * intention}. Therefore requests for different resources do not wait for each other. They wait for a request that locks the
     * node above them in an incompatible mode.
     *
     * <p>An owner ({@link LockOwner}) holds each node once. It does not queue again for the nodes that two of its paths share. A
     * node that it holds in a weaker mode is converted to the least mode that covers both. This may wait for others. When one
     * path is closed, the node is converted to the mode that the rest needs. An owner gets a path that it holds already. Name an
     * owner ({@link #owner(LockOwner)}) for locks that another thread closes. Name one for an asynchronous call in work that
     * holds other paths. Otherwise the thread owns a call that blocks, and each asynchronous call is an owner of its own.
     *
     * @param path the resource
     * @return the request; it has one lock for each part of the path
     * @throws IllegalArgumentException if the path is null
     */
    @Experimental
    public static MultiLockRequest ofPath(LockPath path) {
        return ofPaths(Map.of(checked(path, Names.PATHS), LockMode.EXCLUSIVE));
    }

    /**
     * Returns a request for several parts of a hierarchy, as {@link #ofPath(LockPath)} does. A node above several parts is locked
     * once, in the least mode that covers all needed modes.
     *
     * @param modes the resources, and how each is to be held
     * @return the request
     * @throws IllegalArgumentException if the map is null, empty, contains null, or is for more than {@link #MAX_LOCKS} locks
     */
    @Experimental
    public static MultiLockRequest ofPaths(Map<LockPath, LockMode> modes) {
        if (modes == null) {
            throw nothing(Names.PATHS, "null");
        }
        SortedMap<LockPath, LockMode> named = new TreeMap<>();
        modes.forEach((path, mode) -> named.put(checked(path, Names.PATHS), mode));
        return ofNamed(named);
    }

    private static MultiLockRequest ofNamed(SortedMap<LockPath, LockMode> named) {
        return new MultiLockRequest(merged(nodes(named), Names.PATHS), Collections.unmodifiableSortedMap(named));
    }

    private static Stream<LockRequest> nodes(SortedMap<LockPath, LockMode> named) {
        return named.entrySet().stream()
                .map(entry -> LockRequest.ofNode(entry.getKey()).mode(entry.getValue()))
                .flatMap(MultiLockRequest::withNodesAbove);
    }

    /** Whether a node is requested only because of nodes below it. */
    private static boolean isThereForOthers(LockPath path, LockMode mode, List<LockRequest> all) {
        List<LockMode> intentions = all.stream()
                .filter(other -> other.getPath().filter(path::isAbove).isPresent())
                .map(other -> other.getMode().getIntention())
                .toList();
        return !intentions.isEmpty() && mode == intentions.stream().reduce(LockMode.NULL, LockMode::leastCovering);
    }

    /** From the top to the bottom; the nodes above are in the mode of the intention. */
    private static Stream<LockRequest> withNodesAbove(LockRequest request) {
        Stream<LockRequest> above = request.getPath().stream()
                .flatMap(path -> path.ancestors().stream())
                .map(LockRequest::ofNode)
                .map(node -> node.mode(request.getMode().getIntention()).holdAtLeast(request.getHoldAtLeast()));
        return Stream.concat(above, Stream.of(request));
    }

    private static List<LockRequest> merged(Stream<LockRequest> requests, Names names) {
        SortedMap<String, LockRequest> byId = new TreeMap<>();
        requests.forEach(request -> byId.merge(request.getLockId(), request, LockRequest::together));
        if (byId.isEmpty()) {
            throw nothing(names, "empty");
        }
        if (byId.size() > MAX_LOCKS) {
            throw new IllegalArgumentException(
                    "The request is for " + byId.size() + " locks, from '" + byId.firstKey() + "' on; at most "
                            + MAX_LOCKS + " are allowed: lock fewer resources, or one that stands for all of them");
        }
        return ofOneOwner(List.copyOf(byId.values()));
    }

    /** A request without an owner gets the owner of the other requests. */
    private static List<LockRequest> ofOneOwner(List<LockRequest> inOrder) {
        List<LockOwner> owners = inOrder.stream()
                .flatMap(request -> request.getOwner().stream())
                .distinct()
                .toList();
        if (owners.size() > 1) {
            throw new IllegalArgumentException("The requests name more than one owner, " + owners.get(0) + " and "
                    + owners.get(1) + ", for locks from '" + inOrder.get(0).getLockId()
                    + "' on; locks that are taken together belong to one owner");
        }
        return owners.isEmpty()
                ? inOrder
                : inOrder.stream().map(request -> request.owner(owners.get(0))).toList();
    }

    private static <T> T checked(@Nullable T element, Names names) {
        if (element == null) {
            throw new IllegalArgumentException(
                    "One of the " + names.text + " is null; name the resource to lock, e.g. " + names.example);
        }
        return element;
    }

    private static IllegalArgumentException nothing(Names names, String how) {
        return new IllegalArgumentException("The collection of " + names.text + " is " + how
                + "; name at least one resource to lock, e.g. " + names.example);
    }

    /**
     * Returns this request with one mode for all locks. The nodes above a path get the mode of the intention.
     *
     * @param asked how each lock is to be held
     * @return a copy with this mode
     * @throws IllegalArgumentException if the mode is null
     * @see LockRequest#mode(LockMode)
     */
    public MultiLockRequest mode(LockMode asked) {
        SortedMap<LockPath, LockMode> named = new TreeMap<>(paths);
        named.replaceAll((path, mode) -> asked);
        Stream<LockRequest> plain =
                inOrder.stream().filter(request -> request.getPath().isEmpty()).map(request -> request.mode(asked));
        Map<String, LockMode> modes = merged(Stream.concat(plain, nodes(named)), Names.PATHS).stream()
                .collect(Collectors.toMap(LockRequest::getLockId, LockRequest::getMode));
        return new MultiLockRequest(
                inOrder.stream()
                        .map(request -> request.mode(modes.getOrDefault(request.getLockId(), asked)))
                        .toList(),
                Collections.unmodifiableSortedMap(named));
    }

    /**
     * Returns this request with a minimum time for each lock, counted from the grant of the last lock. If the request fails or is
     * refused, the locks that it took are released at once.
     *
     * @param atLeast from zero, which means no minimum, to {@link LockRequest#MAX_HOLD_AT_LEAST}
     * @return a copy with this minimum
     * @throws IllegalArgumentException if the time is null, negative, or longer than a day
     * @see LockRequest#holdAtLeast(Duration)
     */
    public MultiLockRequest holdAtLeast(Duration atLeast) {
        return each(request -> request.holdAtLeast(atLeast));
    }

    /**
     * Returns this request with a longest time for each lock, counted from the grant of the last lock.
     *
     * @param atMost at least one millisecond and at least the minimum times of these locks, and at most {@link
     *     LockRequest#MAX_HOLD_AT_MOST}
     * @return a copy with this bound
     * @throws IllegalArgumentException if the time is null or outside these bounds
     * @see LockRequest#holdAtMost(Duration)
     */
    public MultiLockRequest holdAtMost(Duration atMost) {
        return each(request -> request.holdAtMost(atMost));
    }

    /**
     * Returns this request with permits for each lock, which callers that name the lock alone have as well.
     *
     * @param number of permits of each lock, from one to {@link LockRequest#MAX_PERMITS}
     * @return a copy with this number
     * @throws IllegalArgumentException if the number is outside these bounds; if there are several permits, and a mode is not
     *     {@link LockMode#EXCLUSIVE} or a lock is a node of a path
     * @see LockRequest#permits(int)
     */
    public MultiLockRequest permits(int number) {
        return each(request -> request.permits(number));
    }

    /**
     * Returns this request with an owner.
     *
     * @param asking the owner of all locks
     * @return a copy with this owner
     * @throws IllegalArgumentException if the owner is null
     * @see LockRequest#owner(LockOwner)
     */
    public MultiLockRequest owner(LockOwner asking) {
        return each(request -> request.owner(asking));
    }

    private MultiLockRequest each(UnaryOperator<LockRequest> change) {
        return new MultiLockRequest(inOrder.stream().map(change).toList(), paths);
    }

    /**
     * Returns one request for each lock, in the order in which they are taken, by {@link String#compareTo(String)}.
     *
     * @return an immutable list, never empty
     */
    public List<LockRequest> getRequests() {
        return inOrder;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MultiLockRequest requests && inOrder.equals(requests.inOrder);
    }

    @Override
    public int hashCode() {
        return inOrder.hashCode();
    }

    @Override
    public String toString() {
        return "MultiLockRequest" + inOrder;
    }
}
