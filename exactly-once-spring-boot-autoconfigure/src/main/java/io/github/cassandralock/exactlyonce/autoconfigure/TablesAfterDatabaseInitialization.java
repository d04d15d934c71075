package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.sink.Outbox;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.DeferredRegisterStore;
import io.github.cassandralock.internal.properties.EarlyProperty;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;
import org.springframework.core.env.Environment;

/**
 * The beans that create tables of registers, sinks and outboxes. Spring Boot makes them after all beans that initialize a database.
 * Otherwise Flyway would refuse the schema, since it refuses tables that it has not created.
 */
record TablesAfterDatabaseInitialization(Environment environment) implements DependsOnDatabaseInitializationDetector {

    private static final List<Class<?>> TYPES = List.of(
            CopyLifecycle.class,
            SinkDefinition.class,
            PumpDefinition.class,
            TransactionalSink.class,
            Outbox.class,
            MessagePusher.class);

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beans) {
        Set<String> names = new HashSet<>();
        TYPES.forEach(type -> names.addAll(namesOf(type, beans)));
        Set<String> stores = namesOf(RegisterStore.class, beans);
        Set<String> deferred = namesOf(DeferredRegisterStore.class, beans);
        if (!deferred.isEmpty() && !isInDatabase()) {
            stores.removeAll(deferred); // a migration may push to queues in other stores
        }
        names.addAll(stores);
        return names;
    }

    private boolean isInDatabase() {
        return EarlyProperty.value(
                        environment,
                        "exactly-once.store",
                        ExactlyOnceProperties.Store.class,
                        ExactlyOnceProperties.Store.CASSANDRA)
                == ExactlyOnceProperties.Store.JDBC;
    }

    private static Set<String> namesOf(Class<?> type, ConfigurableListableBeanFactory beans) {
        Set<String> names = new HashSet<>();
        for (String name : beans.getBeanNamesForType(type, true, false)) {
            names.add(BeanFactoryUtils.transformedBeanName(name));
        }
        return names;
    }
}
