package io.github.cassandralock.autoconfigure.operator;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.locker.NamedLocker;
import io.github.cassandralock.internal.actuate.LockProbe;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.majority.MajorityAlgorithm;
import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health indicator, if Actuator is present. Spring Boot 3 and 4 have its interface in different packages. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
@ConditionalOnSwitch(
        property = "management.health.cassandra-lock.enabled",
        otherwise = "management.health.defaults.enabled",
        byDefault = true)
class LockHealthConfiguration {

    private static final String INDICATOR = "cassandraLockHealthIndicator";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    static class Boot3 {

        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        org.springframework.boot.actuate.health.HealthIndicator cassandraLockHealthIndicator(
                RemoteLocker locker, ObjectProvider<LockAlgorithm> algorithm, ObjectProvider<NamedLocker> named) {
            LockProbe probe = probe(locker, () -> Optional.ofNullable(algorithm.getIfAvailable()), probes(named));
            return () -> {
                LockProbe.Result result = probe.check();
                return result.problem()
                        .map(org.springframework.boot.actuate.health.Health::down)
                        .orElseGet(org.springframework.boot.actuate.health.Health::up)
                        .withDetails(result.details())
                        .build();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class Boot4 {

        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        org.springframework.boot.health.contributor.HealthIndicator cassandraLockHealthIndicator(
                RemoteLocker locker, ObjectProvider<LockAlgorithm> algorithm, ObjectProvider<NamedLocker> named) {
            LockProbe probe = probe(locker, () -> Optional.ofNullable(algorithm.getIfAvailable()), probes(named));
            return () -> {
                LockProbe.Result result = probe.check();
                return result.problem()
                        .map(org.springframework.boot.health.contributor.Health::down)
                        .orElseGet(org.springframework.boot.health.contributor.Health::up)
                        .withDetails(result.details())
                        .build();
            };
        }
    }

    private static Map<String, LockProbe> probes(ObjectProvider<NamedLocker> named) {
        Map<String, LockProbe> probes = new LinkedHashMap<>();
        named.orderedStream()
                .forEach(locker -> probes.put(
                        locker.name(),
                        probe(locker.bean(RemoteLocker.class), () -> locker.own(LockAlgorithm.class), Map.of())));
        return probes;
    }

    /** If the application defines the locker itself, its algorithm is unknown. */
    private static LockProbe probe(
            RemoteLocker locker, Supplier<Optional<LockAlgorithm>> algorithm, Map<String, LockProbe> named) {
        return locker instanceof AlgorithmLocker own
                ? new LockProbe(locker, own.algorithm(), () -> clusters(algorithm), named)
                : new LockProbe(locker, "unknown", Map::of, named);
    }

    private static Map<String, String> clusters(Supplier<Optional<LockAlgorithm>> algorithm) {
        Map<String, String> texts = new LinkedHashMap<>();
        algorithm
                .get()
                .flatMap(LockHealthConfiguration::majority)
                .ifPresent(majority -> majority.states().forEach(cluster -> texts.put(cluster.id(), cluster.text())));
        return texts;
    }

    /** Returns the majority, even if it is a half of a migration. */
    private static Optional<MajorityAlgorithm> majority(LockAlgorithm algorithm) {
        if (algorithm instanceof MajorityAlgorithm majority) {
            return Optional.of(majority);
        }
        if (algorithm instanceof DeferredAlgorithm deferred) {
            return deferred.created().flatMap(LockHealthConfiguration::majority);
        }
        return algorithm instanceof MigrationAlgorithm both
                ? majority(both.from()).or(() -> majority(both.to()))
                : Optional.empty();
    }
}
