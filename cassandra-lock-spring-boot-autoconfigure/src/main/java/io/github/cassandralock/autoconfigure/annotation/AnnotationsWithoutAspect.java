package io.github.cassandralock.autoconfigure.annotation;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.internal.aop.AnnotatedTypes;
import io.github.cassandralock.internal.aop.DistributedLockAspect;
import io.github.cassandralock.internal.properties.OnSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns of beans with {@link DistributedLock} in an application context without the auto-configuration: their methods run without
 * the lock. Examples are a slice test, and an application without a session to Cassandra.
 */
final class AnnotationsWithoutAspect implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Logger log = LoggerFactory.getLogger(AnnotationsWithoutAspect.class);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        context.addApplicationListener(new Check(context));
    }

    private static final class Check implements ApplicationListener<ContextRefreshedEvent> {

        private final ConfigurableApplicationContext context;

        Check(ConfigurableApplicationContext context) {
            this.context = context;
        }

        @Override
        public void onApplicationEvent(ContextRefreshedEvent event) {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            if (event.getApplicationContext() != context
                    || beans.getBeanNamesForType(DistributedLockAspect.class, true, false).length > 0
                    || !OnSwitch.isOn(context.getEnvironment(), "cassandra-lock.enabled", true)) {
                return;
            }
            for (String name : beans.getBeanDefinitionNames()) {
                Class<?> type = beans.getType(name, false);
                if (type != null && AnnotatedTypes.contain(type)) {
                    log.warn(
                            "@DistributedLock of bean '{}' ({}) has no effect. Its methods run without their locks,"
                                    + " because this application context has no RemoteLocker. In a slice test, add"
                                    + " @InMemoryLocks of cassandra-lock-test, or import"
                                    + " CassandraLockAutoConfiguration; in an application, use the session to Cassandra"
                                    + " that Spring Boot configures",
                            name,
                            type.getName());
                }
            }
        }
    }
}
