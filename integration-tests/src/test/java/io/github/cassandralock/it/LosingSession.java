package io.github.cassandralock.it;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Loses answers to prepared statements of the context's sessions, or sends none, and keeps what is sent. Thread-safe. */
final class LosingSession implements BeanPostProcessor {

    private final Collection<BoundStatement> sent = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answersToLose = new AtomicInteger();
    private volatile boolean mute;

    /** The next answers are lost: the statements take effect, and the driver reports a time-out. */
    void loseAnswers(int count) {
        answersToLose.set(count);
    }

    /** From now on, nothing is sent, and the driver reports time-outs. */
    void sendNothing() {
        mute = true;
    }

    Collection<BoundStatement> sent() {
        return sent;
    }

    int answersLeftToLose() {
        return answersToLose.get();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof CqlSession session ? losing(session) : bean;
    }

    private CqlSession losing(CqlSession session) {
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("executeAsync") && arguments[0] instanceof BoundStatement statement) {
                        return answer(session, statement);
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private CompletionStage<?> answer(CqlSession session, Statement<?> statement) {
        if (mute) {
            return late();
        }
        sent.add((BoundStatement) statement);
        CompletionStage<?> answer = session.executeAsync(statement);
        return answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                ? answer.thenCompose(done -> late())
                : answer;
    }

    private static <T> CompletableFuture<T> late() {
        return CompletableFuture.failedFuture(new DriverTimeoutException("no answer"));
    }
}
