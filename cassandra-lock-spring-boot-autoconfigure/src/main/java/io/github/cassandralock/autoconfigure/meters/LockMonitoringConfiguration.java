package io.github.cassandralock.autoconfigure.meters;

import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.autoconfigure.locker.LateObservers;
import io.github.cassandralock.autoconfigure.locker.LockerHook;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.observation.LockObservations;
import io.github.cassandralock.internal.observation.MeteredCalls;
import io.github.cassandralock.internal.observation.ProtocolMeters;
import io.github.cassandralock.internal.observation.RequestMeters;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.properties.OnSwitch;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.observation.LockHoldObservationConvention;
import io.github.cassandralock.observation.LockNames;
import io.github.cassandralock.observation.LockWaitObservationConvention;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The meters and the observations, each if its library of Micrometer is present. */
@Configuration(proxyBeanMethods = false)
class LockMonitoringConfiguration {

    /** The meters of an application that has a registry for them, and no locker of its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(AlgorithmLocker.class)
    @ConditionalOnSingleCandidate(MeterRegistry.class)
    @ConditionalOnSwitch(property = "cassandra-lock.metrics.enabled", byDefault = true)
    static class Meters {

        @Bean
        MeteredCalls cassandraLockMeteredCalls(MeterRegistry registry) {
            return new MeteredCalls(registry);
        }

        @Bean
        RequestMeters cassandraLockRequestMeters(MeterRegistry registry, Environment environment) {
            return new RequestMeters(registry, tags(environment));
        }

        /** Bound here and not by Spring Boot, which binds the meters of applications with Actuator only. */
        @Bean
        LockerHook cassandraLockProtocolMeters(
                ObjectProvider<MeterRegistry> registry,
                ProtocolCounters counters,
                LateObservers observers,
                Environment environment) {
            return locker -> observers.whenReady(() -> registry.ifAvailable(
                    meters -> new ProtocolMeters(meters, tags(environment), locker, counters).register()));
        }

        private static Tags tags(Environment environment) {
            return LockerName.of(environment)
                    .tag()
                    .map(name -> Tags.of(LockerName.KEY, name))
                    .orElse(Tags.empty());
        }
    }

    /** Prevents Spring Boot's timers of the locks' observations if meters are switched off, and observations are not. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnSwitch(property = "cassandra-lock.metrics.enabled", byDefault = true, is = false)
    static class NoMeters {

        @Bean
        static MeterFilter cassandraLockNoMeters() {
            return MeterFilter.denyNameStartsWith("cassandra.lock.");
        }
    }

    /**
     * The observations of calls, and of the work under their locks, and through them the timers. Calls are only timed if there is
     * no registry of observations, or if they are switched off. Without meters, nothing is done then.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(AlgorithmLocker.class)
    static class Observations {

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
}
