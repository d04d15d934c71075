package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.spi.LockAlgorithm;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.scheduling.TaskScheduler;

/** Aspects of the application that match beans of this library. Catches a class of which no proxy can be made. */
class ApplicationAspectsTest {

    private static final Set<Class<?>> MATCHED = Set.of(
            RemoteLocker.class, AutoCloseable.class, LockRegistry.class, TaskScheduler.class, ReentrantLocks.class);

    record Calls(Set<String> names) {}

    @Configuration(proxyBeanMethods = false)
    static class WithAspects {

        @Bean
        CqlSession session() {
            return MockedCassandra.session();
        }

        @Bean
        CassandraTemplate ownTemplate(CqlSession session) {
            return new CassandraTemplate(session);
        }

        @Bean
        Calls calls() {
            return new Calls(ConcurrentHashMap.newKeySet());
        }

        /** As {@code execution(* RemoteLocker.*(..)) || execution(* AutoCloseable.close())}, and others of that kind. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor around(ObjectProvider<Calls> calls) {
            StaticMethodMatcherPointcut matched = new StaticMethodMatcherPointcut() {
                @Override
                public boolean matches(Method method, Class<?> targetClass) {
                    return targetClass.getName().startsWith("io.github.cassandralock.")
                            && MATCHED.stream().anyMatch(type -> type.isAssignableFrom(targetClass));
                }
            };
            return new DefaultPointcutAdvisor(matched, (MethodInterceptor) call -> {
                calls.getObject().names().add(call.getMethod().getName());
                return call.proceed();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, eager, ticket",
        "false, eager, ticket",
        "true, lazy, ticket",
        "false, lazy, queue",
        "true, eager, shadow"
    })
    void aspectOnBeansOfTheLibraryDoesNotStopTheStart(boolean classProxies, String startup, String algorithm) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CassandraLockAutoConfiguration.class, TaskSchedulingAutoConfiguration.class))
                .withUserConfiguration(WithAspects.class)
                .withPropertyValues(
                        "cassandra-lock.schema-action=none",
                        "cassandra-lock.keyspace=locks",
                        "cassandra-lock.startup=" + startup,
                        "cassandra-lock.algorithm=" + algorithm,
                        "spring.aop.proxy-target-class=" + classProxies)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    RemoteLocker locker = context.getBean(RemoteLocker.class);
                    assertThat(AopUtils.isAopProxy(locker)).isTrue();
                    assertThat(AopUtils.isAopProxy(context.getBean(LockAlgorithm.class)))
                            .isTrue();
                    assertThat(context.getBean(AlgorithmLocker.class).algorithm())
                            .isEqualTo(algorithm);
                    assertThat(context.getBean(Calls.class).names()).contains("algorithm");
                });
    }
}
