package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockRequests;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One call for several locks: one {@link Acquisition} after the other, in the order of the request; all locks or none. If a lock
 * that is taken already is lost while the call waits for the next one, the call ends.
 *
 * <p>A call either waits on its thread ({@link #await}) or goes on where the answers arrive ({@link #begin}).
 */
final class GroupAcquisition {

    private final List<LockRequest> requests;
    private final Function<LockRequest, Acquisition> ask;
    private final UnaryOperator<LockHandle> handOut;

    /** Guarded by itself: a caller that cancels gives the locks back at once. */
    private final List<LockHandle> taken = new ArrayList<>();

    private volatile @Nullable Acquisition current;
    private volatile @Nullable LockHandle lost;

    /**
     * @param ask begins the call for one lock
     * @param handOut the last check before a caller gets a lock: throws if it is not held, and has released it then
     */
    GroupAcquisition(LockRequests requests, Function<LockRequest, Acquisition> ask, UnaryOperator<LockHandle> handOut) {
        this.requests = requests.inOrder();
        this.ask = ask;
        this.handOut = handOut;
    }

    /**
     * Takes the locks on the calling thread.
     *
     * @param await waits for the answer to the call for one lock, and throws what the caller is to receive
     * @return in the order in which they were taken; empty if one of them was refused
     */
    Optional<List<LockHandle>> await(Function<Acquisition, Optional<LockHandle>> await) {
        try {
            for (LockRequest request : requests) {
                Optional<LockHandle> lock = await.apply(next(request));
                if (lock.isEmpty()) {
                    discardAll();
                    return Optional.empty();
                }
                take(lock.get());
            }
            return Optional.of(all());
        } catch (RuntimeException | Error e) {
            discardAll();
            throw e;
        }
    }

    /**
     * Takes the locks without a thread that waits.
     *
     * @param threads run the steps, and complete the future
     * @param awaiting is asked before a thread waits for the future; throws if it must not
     * @param limit is told each call for one lock when it begins, to end it in time
     * @param result makes the answer from the locks in the order in which they were taken, or from empty if one was refused
     * @return if somebody else completes it, the call leaves the queue, and the locks are released
     */
    <T> CompletableFuture<T> begin(
            CallbackThreads threads,
            Runnable awaiting,
            Consumer<Acquisition> limit,
            Function<Optional<List<LockHandle>>, T> result) {
        CallFuture<T> future = CallFuture.thenGivenUp(
                () -> {
                    leaveQueue();
                    discardAll();
                },
                awaiting);
        step(0, new Continuation<>(future, threads, limit, result));
        return future;
    }

    /** What a call that does not wait on its thread goes on with. */
    private record Continuation<T>(
            CallFuture<T> future,
            CallbackThreads threads,
            Consumer<Acquisition> limit,
            Function<Optional<List<LockHandle>>, T> result) {}

    private <T> void step(int number, Continuation<T> then) {
        if (then.future().isDone()) {
            discardAll();
            return;
        }
        try {
            if (number == requests.size()) {
                complete(then, () -> Optional.of(all()));
                return;
            }
            Acquisition acquisition = next(requests.get(number));
            then.limit().accept(acquisition);
            if (then.future().isDone()) {
                leaveQueue();
            }
            acquisition
                    .answer()
                    .whenCompleteAsync(
                            (lock, failure) -> goOn(number, then, acquisition, lock, failure),
                            then.threads().steps());
        } catch (RuntimeException | Error e) {
            leaveQueue();
            fail(then, e);
        }
    }

    /** Nobody would see what is thrown here. */
    private <T> void goOn(
            int number,
            Continuation<T> then,
            Acquisition acquisition,
            @Nullable Optional<LockHandle> lock,
            @Nullable Throwable failure) {
        try {
            answered(number, then, acquisition, lock, failure);
        } catch (RuntimeException | Error e) {
            fail(then, e);
        }
    }

    private <T> void answered(
            int number,
            Continuation<T> then,
            Acquisition acquisition,
            @Nullable Optional<LockHandle> lock,
            @Nullable Throwable failure) {
        if (then.future().isDone()) {
            acquisition.call().cancelled();
            if (lock != null) {
                lock.ifPresent(LockHandle::discard);
            }
            discardAll();
        } else if (lock == null) {
            fail(then, acquisition.explain(failure == null ? new IllegalStateException("no answer") : failure));
        } else if (acquisition.told(lock).isEmpty()) {
            discardAll();
            complete(then, Optional::empty);
        } else {
            take(lock.get());
            step(number + 1, then);
        }
    }

    /** What the caller does then may block, so it runs on other threads than the steps of other calls. */
    private <T> void complete(Continuation<T> then, Supplier<Optional<List<LockHandle>>> locks) {
        then.threads().callbacks().execute(() -> {
            try {
                if (!then.future().answer(then.result().apply(locks.get()))) {
                    discardAll();
                }
            } catch (RuntimeException | Error e) {
                fail(then, e);
            }
        });
    }

    private void fail(Continuation<?> then, Throwable failure) {
        discardAll();
        then.threads().callbacks().execute(() -> then.future().fail(failure));
    }

    private Acquisition next(LockRequest request) {
        Acquisition acquisition = ask.apply(request);
        current = acquisition;
        LockHandle gone = lost;
        if (gone != null) {
            acquisition.giveUp(gone.lostException());
        }
        return acquisition;
    }

    private void take(LockHandle lock) {
        lock.awaitOthers();
        LockHandle handedOut = handOut.apply(lock);
        synchronized (taken) {
            taken.add(handedOut);
        }
        lock.whenLost(() -> lost(lock));
    }

    private void lost(LockHandle lock) {
        lost = lock;
        Acquisition waiting = current;
        if (waiting != null) {
            waiting.giveUp(lock.lostException());
        }
    }

    private void leaveQueue() {
        Acquisition waiting = current;
        if (waiting != null) {
            waiting.giveUp(new CancellationException("completed by the caller"));
        }
    }

    /** Those that were taken first may have been lost since. Of a path, what is above stays taken for the longest. */
    private List<LockHandle> all() {
        List<LockHandle> all = inOrder().stream().map(handOut).toList();
        for (int last = all.size() - 1; last >= 0; last--) {
            all.get(last).othersAreThere();
        }
        return all;
    }

    /** Nobody has worked under them. The one that was taken last is released first. */
    private void discardAll() {
        List<LockHandle> lastFirst;
        synchronized (taken) {
            lastFirst = inOrder();
            taken.clear();
        }
        Collections.reverse(lastFirst);
        lastFirst.forEach(LockHandle::discard);
    }

    private List<LockHandle> inOrder() {
        synchronized (taken) {
            return new ArrayList<>(taken);
        }
    }
}
