package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.DeclaredHandler;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Aspects of the application that match beans of exactly-once. Catches a class of which no proxy can be made. */
class ApplicationAspectsTest {

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
            return new DefaultPointcutAdvisor(matched, (MethodInterceptor) MethodInvocation::proceed);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithObservability {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithStore {

        @Bean
        RegisterStore store() {
            return new InMemoryRegisterStore();
        }
    }

    @Test
    void aspectSeesTheSessionThatIsOpenedInTheBackground() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CassandraAutoConfiguration.class, ExactlyOnceSessionAutoConfiguration.class))
                .withUserConfiguration(WithAspect.class)
                .withBean(DefaultAdvisorAutoProxyCreator.class)
                .withPropertyValues(
                        "exactly-once.startup=lazy",
                        "spring.cassandra.contact-points=127.0.0.1:1",
                        "spring.cassandra.local-datacenter=none")
                .run(context -> assertThat(AopUtils.isAopProxy(context.getBean(CqlSession.class)))
                        .isTrue());
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aspectOnBeansOfExactlyOnceDoesNotStopTheStart(boolean classProxies) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ExactlyOnceAutoConfiguration.class, ExactlyOnceMethodAutoConfiguration.class))
                .withUserConfiguration(
                        WithAspect.class, WithObservability.class, WithStore.class, DeclaredHandler.class)
                .withBean(DefaultAdvisorAutoProxyCreator.class, () -> {
                    DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
                    creator.setProxyTargetClass(classProxies);
                    return creator;
                })
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
