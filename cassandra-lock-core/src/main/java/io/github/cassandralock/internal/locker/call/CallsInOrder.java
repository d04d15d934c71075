package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.LockRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The calls of a {@link GroupCall} that are under way. The first one is for the next lock in order. The others are early: a lock
 * before theirs is not taken yet. If the first one may have to wait for others, the early ones end, and their locks are released.
 * Thus a call that waits holds only locks before the one for which it waits (protocol, section 12).
 *
 * <p>Thread-safe. {@link #next} is called by one thread at a time.
 */
final class CallsInOrder {

    /** Leaves room for other requests: a connection of the driver has about a thousand under way. */
    private static final int MOST = 64;

    private final List<LockRequest> requests;
    private final Function<LockRequest, AcquireCall> begin;
    private final Executor threads;
    private final int most;

    /** How many calls are under way at most. It grows with each lock that is granted without a wait. */
    private int size;

    /** Guarded by itself. */
    private final Deque<AcquireCall> calls = new ArrayDeque<>();

    /**
     * @param waits whether the calls wait. Calls that only try are made one after the other. Of several such calls for free locks,
     *     one gets all its locks
     * @param begin begins the call for a lock
     * @param threads end early calls
     */
    CallsInOrder(
            List<LockRequest> requests, boolean waits, Function<LockRequest, AcquireCall> begin, Executor threads) {
        this.requests = requests;
        this.most = waits ? MOST : 1;
        this.begin = begin;
        this.threads = threads;
    }

    /** Returns the call for the request with this number. The locks before it are taken. */
    AcquireCall next(int number) {
        Optional<AcquireCall> before = poll();
        size = before.filter(call -> !hasWaited(call)).isPresent() ? Math.min(size + 1, most) : 1;
        for (int end = number + all().size(); end < Math.min(number + size, requests.size()); end++) {
            add(begin.apply(requests.get(end)));
        }
        AcquireCall first = first().orElseThrow();
        if (all().size() > 1) {
            first.whenItWaits().thenRunAsync(() -> endEarly(first), threads);
        }
        return first;
    }

    private static boolean hasWaited(AcquireCall call) {
        return call.whenItWaits().toCompletableFuture().isDone();
    }

    private Optional<AcquireCall> poll() {
        synchronized (calls) {
            return Optional.ofNullable(calls.poll());
        }
    }

    private void add(AcquireCall call) {
        synchronized (calls) {
            calls.add(call);
        }
    }

    private List<AcquireCall> all() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    /** The call for the next lock, which may have its answer; empty before the first call. */
    Optional<AcquireCall> first() {
        return all().stream().findFirst();
    }

    /** Ends the early calls, unless the lock of this call is taken. */
    private void endEarly(AcquireCall waiting) {
        removeEarly(waiting).forEach(AcquireCall::cancel);
    }

    private List<AcquireCall> removeEarly(AcquireCall waiting) {
        synchronized (calls) {
            if (calls.peek() != waiting) {
                return List.of();
            }
            List<AcquireCall> early =
                    calls.stream().filter(call -> call != waiting).toList();
            calls.removeAll(early);
            return early;
        }
    }

    /** Ends all calls. Their locks are released, even if their answers have to wait for a thread. */
    void cancel() {
        all().forEach(AcquireCall::cancel);
    }
}
