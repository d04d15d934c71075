package io.github.cassandralock.faults.store;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application whose requests fail once in a hundred times, half of them after they have been carried out, and whose
 * wall clock is wrong.
 */
@Configuration(proxyBeanMethods = false)
public class FailingStore {

    private static final int ONE_IN = 100;
    private static final int MOST_SECONDS_OFF = 4 * 3600;

    @Bean
    static BeanPostProcessor failingSession() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof CqlSession session ? failing(session) : bean;
            }
        };
    }

    private static CqlSession failing(CqlSession session) {
        ProxyFactory failing = new ProxyFactory(session);
        failing.addAdvice((MethodInterceptor) FailingStore::call);
        return (CqlSession) failing.getProxy();
    }

    private static @Nullable Object call(MethodInvocation call) throws Throwable {
        boolean fails = call.getMethod().getName().equals("executeAsync")
                && ThreadLocalRandom.current().nextInt(ONE_IN) == 0;
        if (!fails) {
            return call.proceed();
        }
        if (ThreadLocalRandom.current().nextBoolean()) {
            return timedOut();
        }
        CompletionStage<?> done = (CompletionStage<?>) call.proceed();
        return done == null ? null : done.thenCompose(result -> timedOut());
    }

    private static CompletionStage<Object> timedOut() {
        return CompletableFuture.failedFuture(new DriverTimeoutException("planted: whether it was done is unknown"));
    }

    @Bean
    WallClock wrongClock() {
        Duration off = Duration.ofSeconds(ThreadLocalRandom.current().nextInt(-MOST_SECONDS_OFF, MOST_SECONDS_OFF));
        return () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(off));
    }
}
