package io.github.cassandralock.internal.locker.observe;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All observers of the calls of one locker. An exception of an observer is logged and has no other effect. Thread-safe. */
public final class CallObservers {

    private final List<CallObserver> observers;
    private final RepeatedWarning failed;

    /**
     * The log observes as well.
     *
     * @param failed the warning about observers that throw
     */
    public CallObservers(List<CallObserver> observers, Ticker ticker, RepeatedWarning failed) {
        this.observers = Stream.concat(observers.stream(), Stream.of(new LoggedCalls(ticker)))
                .toList();
        this.failed = failed;
    }

    /** A call begins. No object is created if nobody observes it. */
    public ObservedCall asked(LockRequest request, String threadId, boolean waits) {
        String lockId = request.lockId();
        List<CallObserver.Call> calls = List.of();
        for (CallObserver observer : observers) {
            CallObserver.Call call =
                    guarded(lockId, CallObserver.Call.UNOBSERVED, () -> observer.asked(request, threadId, waits));
            if (call != CallObserver.Call.UNOBSERVED) {
                calls = calls.isEmpty() ? new ArrayList<>(observers.size()) : calls;
                calls.add(call);
            }
        }
        return calls.isEmpty() ? ObservedCall.BY_NOBODY : new ObservedCall(lockId, calls, this::guarded);
    }

    /** What the calling thread works for, according to the observers. */
    public List<CallObserver.Context> contexts(String lockId) {
        return observers.stream()
                .map(observer -> guarded(lockId, CallObserver.Context.NONE, observer::context))
                .toList();
    }

    /** Makes a call within these contexts of another thread. */
    public <T> T within(List<CallObserver.Context> contexts, String lockId, Supplier<T> call) {
        List<Runnable> ends = new ArrayList<>();
        for (CallObserver.Context context : contexts) {
            ends.add(0, guarded(lockId, () -> {}, context::open));
        }
        try {
            return call.get();
        } finally {
            ends.forEach(end -> guarded(lockId, end));
        }
    }

    /** Calls an observer; returns the other result if it throws. */
    private <T> T guarded(String lockId, T otherwise, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            failed.warn("What observes calls for locks failed on lock '" + lockId + "'; the lock is not affected", e);
            return otherwise;
        }
    }

    private void guarded(String lockId, Runnable call) {
        guarded(lockId, false, () -> {
            call.run();
            return true;
        });
    }
}
