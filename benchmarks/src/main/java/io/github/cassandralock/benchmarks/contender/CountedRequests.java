package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.CqlSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is sent through a Cassandra session: a batch is one request, a retry belongs to its request. Thread-safe. */
public final class CountedRequests {

    private final AtomicLong count = new AtomicLong();

    public long count() {
        return count.get();
    }

    /** The session for those whose requests are to count. They do so when they are sent, not when they are answered. */
    CqlSession of(CqlSession session) {
        return (CqlSession) Proxy.newProxyInstance(
                CountedRequests.class.getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (self, method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        count.incrementAndGet();
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
