package io.github.cassandralock.internal.test;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.autoconfigure.LockerEnvironment;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.time.Duration;
import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Starts a context without Cassandra: what Spring Boot configures for Cassandra is created at its first use.
 *
 * @param inMemoryLocker whether the context gets a locker in memory; otherwise the test replaces the locker itself
 */
record WithoutCassandraCustomizer(boolean inMemoryLocker) implements ContextCustomizer {

    /** The health check needs the session at the start. A test that needs the check sets this property to true. */
    private static final Map<String, Object> PROPERTIES = Map.of("management.health.cassandra.enabled", "false");

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        context.getEnvironment().getPropertySources().addLast(new MapPropertySource("cassandra-lock-test", PROPERTIES));
        context.addBeanFactoryPostProcessor(new CassandraAtFirstUse());
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        if (inMemoryLocker && beans instanceof BeanDefinitionRegistry registry) {
            RootBeanDefinition main = locker(beans, context.getEnvironment());
            main.setPrimary(true);
            registry.registerBeanDefinition("inMemoryRemoteLocker", main);
            LockerEnvironment.names(context.getEnvironment())
                    .forEach(name -> registry.registerBeanDefinition(name, locker(beans, context.getEnvironment())));
        }
    }

    private static RootBeanDefinition locker(ConfigurableListableBeanFactory beans, Environment environment) {
        return new RootBeanDefinition(
                InMemoryRemoteLocker.class,
                () -> new InMemoryRemoteLocker(
                        Binder.get(environment)
                                .bind("cassandra-lock.lease", Duration.class)
                                .orElse(InMemoryRemoteLocker.DEFAULT_LEASE),
                        beans.getBeanProvider(LockListener.class)
                                .orderedStream()
                                .toArray(LockListener[]::new)));
    }
}
