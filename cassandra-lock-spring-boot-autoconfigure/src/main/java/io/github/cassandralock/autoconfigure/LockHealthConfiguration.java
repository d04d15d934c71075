package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.actuate.Boot3LockHealthIndicator;
import io.github.cassandralock.internal.actuate.Boot4LockHealthIndicator;
import io.github.cassandralock.internal.actuate.LockProbe;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.majority.MajorityAlgorithm;
import java.util.LinkedHashMap;
import java.util.Map;
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
        Boot3LockHealthIndicator cassandraLockHealthIndicator(
                RemoteLocker locker, ObjectProvider<MajorityAlgorithm> majority) {
            return new Boot3LockHealthIndicator(probe(locker, majority));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class Boot4 {

        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        Boot4LockHealthIndicator cassandraLockHealthIndicator(
                RemoteLocker locker, ObjectProvider<MajorityAlgorithm> majority) {
            return new Boot4LockHealthIndicator(probe(locker, majority));
        }
    }

    /** If the application defines the locker itself, its algorithm is unknown. */
    private static LockProbe probe(RemoteLocker locker, ObjectProvider<MajorityAlgorithm> majority) {
        return new LockProbe(
                locker, locker instanceof AlgorithmLocker own ? own.algorithm() : "unknown", () -> clusters(majority));
    }

    private static Map<String, String> clusters(ObjectProvider<MajorityAlgorithm> majority) {
        Map<String, String> texts = new LinkedHashMap<>();
        majority.ifAvailable(
                algorithm -> algorithm.states().forEach(cluster -> texts.put(cluster.id(), cluster.text())));
        return texts;
    }
}
