package io.github.cassandralock.internal.locker;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call for a lock, as its observers follow it. The first end that it is told is the one. Thread-safe. */
final class ObservedCall {

    /** For calls that nobody follows. */
    static final ObservedCall BY_NOBODY = new ObservedCall(null, "", List.of());

    private final @Nullable CallObservers observers;
    private final String lockId;
    private final List<CallObserver.Call> calls;
    private final AtomicBoolean ended = new AtomicBoolean();

    ObservedCall(@Nullable CallObservers observers, String lockId, List<CallObserver.Call> calls) {
        this.observers = observers;
        this.lockId = lockId;
        this.calls = calls;
    }

    /** The caller gets the lock. */
    void granted(LockHandle lock) {
        end(call -> follow(call.granted(), lock));
    }

    private void follow(CallObserver.Hold hold, LockHandle lock) {
        lock.whenClosed(loss -> tell(() -> hold.released(loss)));
    }

    void refused() {
        end(CallObserver.Call::refused);
    }

    void failed(Throwable reason) {
        end(call -> call.failed(reason));
    }

    /** The caller has ended the call itself. */
    void cancelled() {
        if (observers != null) {
            failed(new CancellationException("the caller has ended the call for lock '" + lockId + "'"));
        }
    }

    private void end(Consumer<CallObserver.Call> how) {
        if (observers != null && ended.compareAndSet(false, true)) {
            calls.forEach(call -> tell(() -> how.accept(call)));
        }
    }

    private void tell(Runnable call) {
        if (observers != null) {
            observers.guarded(lockId, call);
        }
    }
}
