package io.github.cassandralock.benchmarks.anatomy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;

/** A session that lets Cassandra trace the statements sent through it, while tracing is on. Thread-safe. */
final class TracingSession {

    private final CqlSession proxy;
    private final ConcurrentLinkedQueue<ExecutionInfo> traced = new ConcurrentLinkedQueue<>();
    private volatile boolean tracing;

    TracingSession(CqlSession session) {
        ProxyFactory tracing = new ProxyFactory(session);
        tracing.addAdvice((MethodInterceptor) this::invoke);
        proxy = (CqlSession) tracing.getProxy();
    }

    /** What statements are to be sent through. */
    CqlSession proxy() {
        return proxy;
    }

    void startTracing() {
        traced.clear();
        tracing = true;
    }

    /** The statements that were sent since the start and have been answered. */
    List<ExecutionInfo> stopTracing() {
        tracing = false;
        return new ArrayList<>(traced);
    }

    private @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object[] arguments = call.getArguments();
        if (tracing && arguments.length > 0 && arguments[0] instanceof Statement<?> statement) {
            arguments[0] = statement.setTracing(true);
            return noted(call.proceed());
        }
        return call.proceed();
    }

    private @Nullable Object noted(@Nullable Object result) {
        if (result instanceof ResultSet rows) {
            traced.add(rows.getExecutionInfo());
        }
        if (result instanceof CompletionStage<?> stage) {
            // what the caller gets comes after the note
            return stage.thenApply(rows -> {
                traced.add(((AsyncResultSet) rows).getExecutionInfo());
                return rows;
            });
        }
        return result;
    }
}
