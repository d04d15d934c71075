package io.github.cassandralock.internal.locker.observe;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.internal.text.RepeatedWarning;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listeners for each event, in the order of the events, on a separate thread. Events come from threads that renew leases,
 * and code of the application must not delay these. Thread-safe.
 */
public final class ListenerCalls {

    private static final Logger log = LoggerFactory.getLogger(ListenerCalls.class);
    private static final int MOST_EVENTS_WAITING = 10_000;

    private final List<LockListener> listeners;
    private final ExecutorService thread;
    private final RepeatedWarning failed;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();

    /**
     * @param thread runs one task after the other; after its shutdown, events are dropped
     * @param failed the warning about listeners that throw
     */
    public ListenerCalls(List<LockListener> listeners, ExecutorService thread, RepeatedWarning failed) {
        this.listeners = List.copyOf(listeners);
        this.thread = thread;
        this.failed = failed;
    }

    public boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** Calls all listeners with this event, unless too many events wait. */
    public void publish(String lockId, Consumer<LockListener> event) {
        if (isEmpty() || thread.isShutdown()) {
            return;
        }
        if (waiting.incrementAndGet() > MOST_EVENTS_WAITING) {
            waiting.decrementAndGet();
            dropped(lockId);
            return;
        }
        try {
            thread.execute(() -> {
                listeners.forEach(listener -> call(listener, lockId, event));
                if (waiting.decrementAndGet() == 0) {
                    logDropped();
                }
            });
        } catch (RejectedExecutionException e) {
            waiting.decrementAndGet();
            log.debug("Lock listeners do not receive an event of lock '{}': the locks have ended", lockId);
        }
    }

    /**
     * Logs the first event that is dropped while a listener does not return. The number of all dropped events is logged when it has
     * returned.
     */
    private void dropped(String lockId) {
        if (dropped.getAndIncrement() == 0) {
            log.warn(
                    "Lock listeners do not receive an event of lock '{}', nor the events after it. {} events wait, because a"
                            + " listener does not return. A listener must be quick, or use a thread of its own",
                    lockId,
                    MOST_EVENTS_WAITING);
        }
    }

    private void logDropped() {
        long events = dropped.getAndSet(0);
        if (events > 0) {
            log.warn("Lock listeners did not receive {} events, because one did not return in time", events);
        }
    }

    private void call(LockListener listener, String lockId, Consumer<LockListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException | Error e) {
            failed.warn(
                    "The lock listener " + listener + " failed on lock '" + lockId + "'; the lock is not affected", e);
        }
    }
}
