package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.aspectj.AspectJExpressionPointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Applications whose aspects match more beans than they mean. Each starts with everything that the starter configures. */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("slow")
@Tag("nightly")
class WideAspectsIT {

    private static final String POINTCUT = "pointcut";

    private final CassandraCluster cluster;

    WideAspectsIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAspect {

        @Bean
        static DefaultPointcutAdvisor around(BeanFactory beans, Environment environment) {
            AspectJExpressionPointcut pointcut = new AspectJExpressionPointcut();
            pointcut.setBeanFactory(beans);
            pointcut.setExpression(environment.getRequiredProperty(POINTCUT));
            return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) call -> call.proceed());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "within(io.github.cassandralock..*)",
                "execution(* io.github.cassandralock..*.*(..))",
                "bean(*ock*)",
                "execution(* java.lang.AutoCloseable+.close()) && within(io.github.cassandralock..*)",
                "execution(* java.util.concurrent.locks.Lock+.*(..)) || target(io.github.cassandralock.RemoteLocker)",
                "@within(org.springframework.context.annotation.Configuration) && within(io.github.cassandralock..*)",
                "@annotation(org.springframework.context.annotation.Bean) && within(io.github.cassandralock..*)",
                "args(java.lang.String,..) && within(io.github.cassandralock..*)"
            })
    void applicationStartsAndTakesLocks(String pointcut) {
        try (Application application = Application.startWeb(
                WebApplicationType.SERVLET,
                cluster,
                "--spring.main.sources=" + WithAspect.class.getName() + "," + Shop.class.getName(),
                "--" + POINTCUT + "=" + pointcut,
                "--management.endpoints.web.exposure.include=*",
                "--cassandra-lock.force-release.enabled=true")) {
            RemoteLocker locker = application.locker();
            locker.getLock("k").close();
            assertThat(application.context().getBean(Shop.Orders.class).ship("1", () -> {}))
                    .as("whether the lock was taken meanwhile")
                    .isTrue();
        }
    }
}
