package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.locker.held.GrantedLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call for several locks, all or none, which are taken in the order of the request. {@link CallsInOrder} decides which of them
 * are requested at the same time. If a lock that is taken already is lost while the call waits for the next one, the call ends.
 *
 * <p>A call either waits on its thread ({@link #await}) or continues where the answers arrive ({@link #future}).
 */
public final class GroupCall {

    private final List<LockRequest> requests;
    private final Duration timeout;
    private final CallsInOrder calls;
    private final GrantedLocks locks;
    private final CallContext context;
    private final long startedAt;

    /** Guarded by itself. A caller that cancels releases the locks at once. */
    private final List<GrantedLock> taken = new ArrayList<>();

    private volatile @Nullable GrantedLock lost;

    /**
     * @param waits whether the call waits for others
     * @param timeout of the whole call, which begins now
     * @param ask begins the call for one lock, which waits for the group when it is granted
     */
    public GroupCall(
            MultiLockRequest requests,
            boolean waits,
            Duration timeout,
            Function<LockRequest, AcquireCall> ask,
            GrantedLocks locks,
            CallContext context) {
        this.requests = requests.getRequests();
        this.timeout = timeout;
        this.calls =
                new CallsInOrder(this.requests, waits, ask, context.threads().steps());
        this.locks = locks;
        this.context = context;
        this.startedAt = context.ticker().nanos();
    }

    private Duration left() {
        Duration left = timeout.minusNanos(context.ticker().nanos() - startedAt);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * Takes the locks on the calling thread.
     *
     * @return in the order in which they were taken; empty if one of them was refused
     */
    public Optional<List<GrantedLock>> await() {
        try {
            for (int number = 0; number < requests.size(); number++) {
                Optional<GrantedLock> lock = next(number).await(left(), timeout);
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
     * Takes the locks without a waiting thread.
     *
     * @param result makes the answer from the locks, in the order of their grants; from empty if one was refused
     * @param late the answer if others had one of the locks until the time-out; null if the future fails then
     * @return if other code completes it, the call ends, and the locks are released
     */
    public <T> CompletableFuture<T> future(Function<Optional<List<GrantedLock>>, T> result, @Nullable T late) {
        CallFuture<T> future = new CallFuture<>(requests.get(0).getLockId(), context.waits(), late) {
            @Override
            boolean endedByCaller(BooleanSupplier completion) {
                boolean ended = completion.getAsBoolean();
                if (ended) {
                    discardAll();
                }
                return ended;
            }
        };
        step(0, future, result);
        return future;
    }

    private <T> void step(int number, CallFuture<T> future, Function<Optional<List<GrantedLock>>, T> result) {
        if (future.isDone()) {
            discardAll();
            return;
        }
        try {
            if (number == requests.size()) {
                complete(future, () -> result.apply(Optional.of(all())));
                return;
            }
            AcquireCall call = next(number);
            call.timeOutAfter(left(), timeout);
            if (future.isDone()) {
                discardAll();
            }
            call.answer()
                    .whenCompleteAsync(
                            (lock, failure) -> answered(number, call, future, result),
                            context.threads().steps());
        } catch (RuntimeException | Error e) {
            fail(future, e);
        }
    }

    /** Catches all exceptions, which would otherwise be lost. */
    private <T> void answered(
            int number, AcquireCall call, CallFuture<T> future, Function<Optional<List<GrantedLock>>, T> result) {
        try {
            if (future.isDone()) {
                discardAll();
                return;
            }
            Optional<GrantedLock> lock = call.answerForCaller();
            if (lock.isEmpty()) {
                discardAll();
                complete(future, () -> result.apply(Optional.empty()));
            } else {
                take(lock.get());
                step(number + 1, future, result);
            }
        } catch (RuntimeException | Error e) {
            fail(future, e);
        }
    }

    /** Code of the caller that follows may block, so it runs on other threads than the steps of calls. */
    private <T> void complete(CallFuture<T> future, Supplier<T> answer) {
        context.threads().callbacks().execute(() -> {
            try {
                if (!future.answer(answer.get())) {
                    discardAll();
                }
            } catch (RuntimeException | Error e) {
                fail(future, e);
            }
        });
    }

    private void fail(CallFuture<?> future, Throwable failure) {
        discardAll();
        context.threads().callbacks().execute(() -> future.fail(failure));
    }

    private AcquireCall next(int number) {
        AcquireCall call = calls.next(number);
        GrantedLock gone = lost;
        if (gone != null) {
            call.end(gone.lostException());
        }
        return call;
    }

    private void take(GrantedLock lock) {
        locks.deliver(lock);
        synchronized (taken) {
            taken.add(lock);
        }
        lock.whenLost(loss -> lost(lock));
    }

    private void lost(GrantedLock lock) {
        lost = lock;
        calls.first().ifPresent(waiting -> waiting.end(lock.lostException()));
    }

    /** Delivers the locks, of which the first may have been lost meanwhile. The upper nodes of a path stay taken the longest. */
    private List<GrantedLock> all() {
        List<GrantedLock> all = inOrder();
        all.forEach(locks::deliver);
        for (int last = all.size() - 1; last >= 0; last--) {
            all.get(last).markGroupComplete(requests.get(last));
        }
        return all;
    }

    /** Ends the calls, and discards the locks, under which nobody has worked. The lock that was taken last is released first. */
    private void discardAll() {
        calls.cancel();
        List<GrantedLock> lastFirst;
        synchronized (taken) {
            lastFirst = inOrder();
            taken.clear();
        }
        Collections.reverse(lastFirst);
        lastFirst.forEach(GrantedLock::discard);
    }

    private List<GrantedLock> inOrder() {
        synchronized (taken) {
            return new ArrayList<>(taken);
        }
    }
}
