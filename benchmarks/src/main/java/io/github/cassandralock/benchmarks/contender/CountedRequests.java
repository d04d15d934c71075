package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.concurrent.atomic.AtomicLong;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;

/** Counts what is sent through a Cassandra session: a batch is one request, a retry belongs to its request. Thread-safe. */
public final class CountedRequests {

    private final AtomicLong count = new AtomicLong();

    public long count() {
        return count.get();
    }

    /** The session for those whose requests are to count. They do so when they are sent, not when they are answered. */
    CqlSession of(CqlSession session) {
        ProxyFactory counting = new ProxyFactory(session);
        counting.addAdvice((MethodInterceptor) call -> {
            if (call.getMethod().getName().startsWith("execute")) {
                count.incrementAndGet();
            }
            return call.proceed();
        });
        return (CqlSession) counting.getProxy();
    }
}
