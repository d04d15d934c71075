package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Observes calls and requests, once all beans are there. Registries of meters and observations are made of beans of the
 * application, which may need the locker. A locker that needed the registries would make a cycle. Calls during the start are not
 * observed. Thread-safe.
 */
public final class LateObservers extends AfterStart {

    private final ObjectProvider<CallObserver> callObservers;
    private final ObjectProvider<RequestObserver> requestObservers;
    private volatile CallObserver calls = CallObserver.NONE;
    private volatile RequestObserver requests = RequestObserver.NONE;

    LateObservers(ObjectProvider<CallObserver> calls, ObjectProvider<RequestObserver> requests) {
        this.callObservers = calls;
        this.requestObservers = requests;
    }

    @Override
    public void afterSingletonsInstantiated() {
        calls = callObservers.getIfAvailable(() -> CallObserver.NONE);
        requests = requestObservers.getIfAvailable(() -> RequestObserver.NONE);
        super.afterSingletonsInstantiated();
    }

    /** Who observes the next call. */
    CallObserver calls() {
        return calls;
    }

    RequestObserver requests() {
        return (table, kind, took, answered) -> requests.ended(table, kind, took, answered);
    }
}
