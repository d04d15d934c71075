package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import java.util.ArrayList;
import java.util.List;

/**
 * What observes calls and requests, from the moment on when all beans are there. Registries of meters and observations are made
 * of beans of the application, and these may need the locker: a locker that needed the registries would make a circle. Calls
 * during the start are not observed. Thread-safe.
 */
final class LateObservers {

    private volatile CallObserver calls = (request, threadId, waits) -> CallObserver.Call.UNOBSERVED;
    private volatile RequestObserver requests = RequestObserver.NONE;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean ready;

    /** All beans are there. */
    void begin(CallObserver observesCalls, RequestObserver observesRequests) {
        calls = observesCalls;
        requests = observesRequests;
        List<Runnable> due;
        synchronized (waiting) {
            ready = true;
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(Runnable::run);
    }

    /** Runs the action when all beans are there: at once, or on the thread that creates them. */
    void whenReady(Runnable action) {
        synchronized (waiting) {
            if (!ready) {
                waiting.add(action);
                return;
            }
        }
        action.run();
    }

    CallObserver calls() {
        return (request, threadId, waits) -> calls.asked(request, threadId, waits);
    }

    RequestObserver requests() {
        return (table, kind, took, answered) -> requests.ended(table, kind, took, answered);
    }
}
