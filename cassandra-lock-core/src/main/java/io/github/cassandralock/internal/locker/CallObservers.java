package io.github.cassandralock.internal.locker;

import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** All that follow the calls of one locker. What they throw is logged and has no other effect. Thread-safe. */
final class CallObservers {

    private final List<CallObserver> observers;
    private final RepeatedWarning failed;

    private CallObservers(List<CallObserver> observers, RepeatedWarning failed) {
        this.observers = observers;
        this.failed = failed;
    }

    /** These, and the log. */
    static CallObservers with(List<CallObserver> observers, Ticker ticker, RepeatedWarning failed) {
        List<CallObserver> all = new ArrayList<>(observers);
        all.add(new LoggedCalls(ticker));
        return new CallObservers(List.copyOf(all), failed);
    }

    /** A call begins. Nothing is created for it if nobody follows it. */
    ObservedCall asked(String lockId, String threadId, boolean waits) {
        List<CallObserver.Call> calls = List.of();
        for (CallObserver observer : observers) {
            CallObserver.Call call =
                    guarded(lockId, CallObserver.Call.UNOBSERVED, () -> observer.asked(lockId, threadId, waits));
            if (call != CallObserver.Call.UNOBSERVED) {
                calls = calls.isEmpty() ? new ArrayList<>(observers.size()) : calls;
                calls.add(call);
            }
        }
        return calls.isEmpty() ? ObservedCall.BY_NOBODY : new ObservedCall(this, lockId, calls);
    }

    /** Calls an observer; returns the other result if it throws. */
    <T> T guarded(String lockId, T otherwise, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            failed.warn("What observes calls for locks failed on lock '" + lockId + "'; the lock is not affected", e);
            return otherwise;
        }
    }

    void guarded(String lockId, Runnable call) {
        guarded(lockId, false, () -> {
            call.run();
            return true;
        });
    }
}
