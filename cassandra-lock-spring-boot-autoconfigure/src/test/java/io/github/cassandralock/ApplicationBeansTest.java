package io.github.cassandralock;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.autoconfigure.CassandraLockAutoConfiguration;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Timers;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans of an application whose classes belong to this library. The package is none in which the library defines beans. */
class ApplicationBeansTest {

    private static final class Noting implements BeanPostProcessor {

        private final Set<String> names = ConcurrentHashMap.newKeySet();

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            names.add(name);
            return bean;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        static Noting noting() {
            return new Noting();
        }

        @Bean
        Timers ownTimers() {
            return new ScheduledTimers();
        }
    }

    @Test
    void postProcessorReceivesBeansOfFinalClassesThatTheApplicationDefines() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withBean("registered", ScheduledTimers.class, ScheduledTimers::new)
                .run(context -> assertThat(context.getBean(Noting.class).names).contains("ownTimers", "registered"));
    }
}
