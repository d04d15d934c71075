package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.operator.EndpointFilters;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.spi.LockAlgorithm;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.javacrumbs.shedlock.core.LockProvider;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.integration.support.locks.LockRegistry;

/** Aspects of the application that match beans of this library. Catches a class of which no proxy can be made. */
class ApplicationAspectsTest {

    /** Notes what is called. */
    private static final class Noting implements MethodInterceptor {

        private final Set<String> names = ConcurrentHashMap.newKeySet();

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            names.add(call.getMethod().getName());
            return call.proceed();
        }
    }

    /** An aspect as {@code within(io.github.cassandralock..*)}, which contains what others match of it. */
    @Configuration(proxyBeanMethods = false)
    static class WithAspect {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor around() {
            StaticMethodMatcherPointcut matched = new StaticMethodMatcherPointcut() {
                @Override
                public boolean matches(Method method, Class<?> type) {
                    return type.getName().startsWith("io.github.cassandralock.")
                            && !type.getName().startsWith(ApplicationAspectsTest.class.getName());
                }
            };
            return new DefaultPointcutAdvisor(matched, new Noting());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithCassandra {

        @Bean
        CqlSession session() {
            return MockedCassandra.session();
        }

        @Bean
        CassandraTemplate ownTemplate(CqlSession session) {
            return new CassandraTemplate(session);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithObservability {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observations() {
            return ObservationRegistry.create();
        }
    }

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    CassandraLockSessionAutoConfiguration.class,
                    CassandraLockAutoConfiguration.class,
                    TaskSchedulingAutoConfiguration.class))
            .withUserConfiguration(WithAspect.class, WithObservability.class, EndpointFilters.class)
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=*",
                    "cassandra-lock.schema-action=none",
                    "cassandra-lock.keyspace=locks");

    @ParameterizedTest
    @CsvSource({
        "true, eager, ticket",
        "false, eager, ticket",
        "true, lazy, ticket",
        "false, lazy, queue",
        "true, eager, shadow"
    })
    void aspectOnEachBeanOfTheLibraryDoesNotStopTheStart(boolean classProxies, String startup, String algorithm) {
        application
                .withUserConfiguration(WithCassandra.class)
                .withPropertyValues(
                        "cassandra-lock.startup=" + startup,
                        "cassandra-lock.algorithm=" + algorithm,
                        "cassandra-lock.force-release.enabled=" + algorithm.equals("ticket"),
                        "spring.aop.proxy-target-class=" + classProxies)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeansOfType(RemoteLocker.class).values())
                            .allMatch(AopUtils::isAopProxy);
                    assertThat(AopUtils.isAopProxy(context.getBean(LockAlgorithm.class)))
                            .isTrue();
                    assertThat(AopUtils.isAopProxy(context.getBean(LockRegistry.class)))
                            .isTrue();
                    assertThat(AopUtils.isAopProxy(context.getBean(LockProvider.class)))
                            .isTrue();
                    assertThat(context.getBean(AlgorithmLocker.class).algorithm())
                            .isEqualTo(algorithm);
                    Noting noting =
                            (Noting) context.getBean("around", Advisor.class).getAdvice();
                    assertThat(noting.names).contains("algorithm");
                });
    }

    @Test
    void aspectSeesTheSessionThatIsOpenedInTheBackground() {
        application
                .withConfiguration(AutoConfigurations.of(CassandraAutoConfiguration.class))
                .withPropertyValues(
                        "cassandra-lock.startup=lazy",
                        "spring.cassandra.contact-points=127.0.0.1:1",
                        "spring.cassandra.local-datacenter=none")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(AopUtils.isAopProxy(context.getBean(CqlSession.class)))
                            .isTrue();
                });
    }
}
