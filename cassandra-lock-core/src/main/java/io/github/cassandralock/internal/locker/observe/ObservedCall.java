package io.github.cassandralock.internal.locker.observe;

import io.github.cassandralock.LockLostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One call for a lock, with everybody who observes it. Only the first end that is reported counts. Thread-safe. */
public final class ObservedCall {

    /** A call that nobody observes. */
    static final ObservedCall BY_NOBODY = new ObservedCall("", List.of(), (lockId, call) -> {});

    private final String lockId;
    private final List<CallObserver.Call> calls;
    private final BiConsumer<String, Runnable> guard;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param guard runs code of an observer for a lock id, and logs what it throws */
    ObservedCall(String lockId, List<CallObserver.Call> calls, BiConsumer<String, Runnable> guard) {
        this.lockId = lockId;
        this.calls = calls;
        this.guard = guard;
    }

    /**
     * The caller gets the lock.
     *
     * @param whenClosed registers an action that runs when the lock is closed, with the loss if it was lost before
     */
    public void granted(Consumer<Consumer<Optional<LockLostException>>> whenClosed) {
        end(call -> {
            Consumer<Optional<LockLostException>> hold = call.granted();
            whenClosed.accept(loss -> guard.accept(lockId, () -> hold.accept(loss)));
        });
    }

    /** The lock is taken, and the call does not wait. */
    public void refused() {
        end(CallObserver.Call::refused);
    }

    /** @param reason what the caller receives */
    public void failed(Throwable reason) {
        end(call -> call.failed(reason));
    }

    /** The caller has ended the call itself. */
    public void cancelled() {
        if (!calls.isEmpty()) {
            failed(new CancellationException("the caller has ended the call for lock '" + lockId + "'"));
        }
    }

    private void end(Consumer<CallObserver.Call> how) {
        if (!calls.isEmpty() && ended.compareAndSet(false, true)) {
            calls.forEach(call -> guard.accept(lockId, () -> how.accept(call)));
        }
    }
}
