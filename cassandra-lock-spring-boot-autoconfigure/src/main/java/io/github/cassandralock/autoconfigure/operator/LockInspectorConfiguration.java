package io.github.cassandralock.autoconfigure.operator;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.locker.LockInspections;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What applications read about locks of all processes. Needs no Actuator. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
class LockInspectorConfiguration {

    @Bean
    @ConditionalOnMissingLockBean(LockInspector.class)
    LockInspector cassandraLockInspector(RemoteLocker locker, ObjectProvider<LockInspections> inspections) {
        return locker instanceof AlgorithmLocker own
                ? own.inspector(new FirstUse<>(
                        () -> Optional.ofNullable(inspections.getIfAvailable()).flatMap(LockInspections::inspection)))
                : new UnknownLocks();
    }
}
