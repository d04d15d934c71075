package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.exactlyonce.LagSampler;
import io.github.cassandralock.internal.metrics.CopyMeters;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The meters of copies, if the application has a registry for them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnSwitch(property = "exactly-once.metrics.enabled", byDefault = true)
class CopyMetricsConfiguration {

    @Bean(destroyMethod = "stop")
    LagSampler exactlyOnceLagSampler(ObservedCopies copies, ExactlyOnceProperties properties) {
        return new LagSampler(copies::runners, properties.metrics().lagInterval(), System::nanoTime);
    }

    /** Bound here and not by Spring Boot, which binds the meters of applications with Actuator only. */
    @Bean
    static SmartInitializingSingleton exactlyOnceMeters(
            ObjectProvider<MeterRegistry> registry,
            ObjectProvider<ObservedCopies> copies,
            ObjectProvider<LagSampler> lags) {
        return () -> registry.ifAvailable(
                meters -> new CopyMeters(copies.getObject().prepared(), lags.getObject()).bindTo(meters));
    }
}
