package io.github.cassandralock.locker;

import io.github.cassandralock.LockListener;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what happens, in that order, on a thread of its own: events come from threads that renew leases, which
 * nothing of an application's may hold up. Thread-safe.
 */
final class ListenerCalls implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ListenerCalls.class);

    private final List<LockListener> listeners;
    private final ThreadPoolExecutor thread = CallbackThreads.forListeners();
    private final AtomicLong untold = new AtomicLong();

    ListenerCalls(List<LockListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    void tell(String lockId, Consumer<LockListener> event) {
        if (isEmpty()) {
            return;
        }
        try {
            thread.execute(() -> {
                listeners.forEach(listener -> tell(listener, lockId, event));
                sayWhatWasNotTold();
            });
        } catch (RejectedExecutionException e) {
            notTold(lockId);
        }
    }

    /** Of thousands of events that come while a listener hangs, the log gets the first and, in the end, the number. */
    private void notTold(String lockId) {
        if (!thread.isShutdown() && untold.getAndIncrement() == 0) {
            log.warn(
                    "Lock listeners are not told about lock '{}', nor about what happens next: {} events wait for one that"
                            + " does not return. A listener must be quick, or hand over to a thread of its own",
                    lockId,
                    thread.getQueue().size());
        }
    }

    private void sayWhatWasNotTold() {
        if (thread.getQueue().isEmpty()) {
            long events = untold.getAndSet(0);
            if (events > 0) {
                log.warn("Lock listeners were not told about {} events, because one did not return in time", events);
            }
        }
    }

    private static void tell(LockListener listener, String lockId, Consumer<LockListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException | Error e) {
            log.warn("The lock listener {} failed on lock '{}'; the lock is not affected", listener, lockId, e);
        }
    }

    /** What has been told by now is still heard; what comes later is not. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
