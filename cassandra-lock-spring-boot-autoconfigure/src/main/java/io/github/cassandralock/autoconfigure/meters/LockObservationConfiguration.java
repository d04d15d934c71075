package io.github.cassandralock.autoconfigure.meters;

import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.observation.LockObservations;
import io.github.cassandralock.internal.observation.MeteredCalls;
import io.github.cassandralock.internal.properties.OnSwitch;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.observation.LockHoldObservationConvention;
import io.github.cassandralock.observation.LockNames;
import io.github.cassandralock.observation.LockWaitObservationConvention;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The observations of calls, and of the work under their locks, and through them the timers. Calls are only timed if there is no
 * registry of observations, or if they are switched off. Without meters, nothing is done then.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(AlgorithmLocker.class)
class LockObservationConfiguration {

    @Bean
    LockObservations cassandraLockObservations(
            ObjectProvider<ObservationRegistry> registry,
            ObjectProvider<MeteredCalls> meters,
            ObjectProvider<LockWaitObservationConvention> wait,
            ObjectProvider<LockHoldObservationConvention> hold,
            ObjectProvider<LockNames> names,
            Timers timers,
            Environment environment) {
        boolean on = OnSwitch.isOn(environment, "cassandra-lock.observations.enabled", true);
        return new LockObservations(
                on ? registry.getIfUnique(() -> ObservationRegistry.NOOP) : ObservationRegistry.NOOP,
                meters.getIfAvailable(),
                wait.getIfUnique(),
                hold.getIfUnique(),
                names.getIfUnique(),
                LockerName.of(environment)
                        .tag()
                        .map(name -> KeyValues.of(LockerName.KEY, name))
                        .orElse(KeyValues.empty()),
                timers);
    }
}
