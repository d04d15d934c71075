package io.github.cassandralock.autoconfigure.annotation;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.internal.aop.AnnotatedTypes;
import io.github.cassandralock.internal.aop.DistributedLockAspect;
import io.github.cassandralock.internal.properties.OnSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.AbstractApplicationContext;

/**
 * Warns of beans with {@link DistributedLock} in an application context without the auto-configuration, and in its child contexts.
 * Methods of these beans run without the lock. Examples are a slice test, and an application without a session to Cassandra.
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

        /** The ancestors of a context also receive its events. */
        @Override
        public void onApplicationEvent(ContextRefreshedEvent event) {
            if (event.getApplicationContext() instanceof ConfigurableApplicationContext refreshed
                    && isNearest(refreshed)
                    && OnSwitch.isOn(refreshed.getEnvironment(), "cassandra-lock.enabled", true)
                    && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                            refreshed, DistributedLockAspect.class, true, false)
                                    .length
                            == 0) {
                warn(refreshed.getBeanFactory());
            }
        }

        /** Whether no nearer context of the refreshed context has a check. */
        private boolean isNearest(ConfigurableApplicationContext refreshed) {
            ApplicationContext checked = refreshed;
            while (checked != null && checked != context && !isChecked(checked)) {
                checked = checked.getParent();
            }
            return checked == context;
        }

        private static boolean isChecked(ApplicationContext context) {
            return context instanceof AbstractApplicationContext known
                    && known.getApplicationListeners().stream().anyMatch(Check.class::isInstance);
        }

        private static void warn(ConfigurableListableBeanFactory beans) {
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
