package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Observes calls and requests, once all beans are there. Registries of meters and observations are made of beans of the
 * application, which may need the locker. A locker that needed the registries would make a cycle. Calls during the start are not
 * observed. Thread-safe.
 */
public final class LateObservers implements SmartInitializingSingleton {

    private final ObjectProvider<CallObserver> callObservers;
    private final ObjectProvider<RequestObserver> requestObservers;
    private volatile CallObserver calls = CallObserver.NONE;
    private volatile RequestObserver requests = RequestObserver.NONE;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean ready;

    LateObservers(ObjectProvider<CallObserver> calls, ObjectProvider<RequestObserver> requests) {
        this.callObservers = calls;
        this.requestObservers = requests;
    }

    @Override
    public void afterSingletonsInstantiated() {
        calls = callObservers.getIfAvailable(() -> CallObserver.NONE);
        requests = requestObservers.getIfAvailable(() -> RequestObserver.NONE);
        List<Runnable> due;
        synchronized (waiting) {
            ready = true;
            due = List.copyOf(waiting);
        }
        due.forEach(Runnable::run);
    }

    /** Runs the action when all beans are there: at once, or on the thread that creates them. */
    public void whenReady(Runnable action) {
        synchronized (waiting) {
            if (!ready) {
                waiting.add(action);
                return;
            }
        }
        action.run();
    }

    /** Who observes the next call. */
    CallObserver calls() {
        return calls;
    }

    RequestObserver requests() {
        return (table, kind, took, answered) -> requests.ended(table, kind, took, answered);
    }
}
