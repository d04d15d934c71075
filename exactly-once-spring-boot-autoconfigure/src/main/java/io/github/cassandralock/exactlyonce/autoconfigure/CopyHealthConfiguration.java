package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.exactlyonce.CopyReport;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of copies, if Actuator is present. Spring Boot 3 and 4 have its interface in different packages. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(
        property = "management.health.exactly-once.enabled",
        otherwise = "management.health.defaults.enabled",
        byDefault = true)
class CopyHealthConfiguration {

    private static final String INDICATOR = "exactlyOnceHealthIndicator";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    static class Boot3 {

        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        org.springframework.boot.actuate.health.HealthIndicator exactlyOnceHealthIndicator(ObservedCopies copies) {
            return () -> {
                CopyReport report = report(copies);
                return org.springframework.boot.actuate.health.Health.status(
                                report.status().name())
                        .withDetails(report.details())
                        .build();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class Boot4 {

        @Bean(INDICATOR)
        @ConditionalOnMissingBean(name = INDICATOR)
        org.springframework.boot.health.contributor.HealthIndicator exactlyOnceHealthIndicator(ObservedCopies copies) {
            return () -> {
                CopyReport report = report(copies);
                return org.springframework.boot.health.contributor.Health.status(
                                report.status().name())
                        .withDetails(report.details())
                        .build();
            };
        }
    }

    private static CopyReport report(ObservedCopies copies) {
        return CopyReport.of(copies.runners(), copies.storeProblem());
    }
}
