package io.github.cassandralock.locker;

import io.github.cassandralock.LockListener;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls every listener, and lets none of them stop a lock or another listener. */
final class ListenerCalls {

    private static final Logger log = LoggerFactory.getLogger(ListenerCalls.class);

    private final List<LockListener> listeners;

    ListenerCalls(List<LockListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    void tell(String lockId, Consumer<LockListener> event) {
        for (LockListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                log.warn("The lock listener {} failed on lock '{}'; the lock is not affected", listener, lockId, e);
            }
        }
    }
}
