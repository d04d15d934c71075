package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.properties.DurationUnits;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;

/**
 * Runs the handlers, sinks and pumps that the application declares as beans. Creates nothing if it declares none, and
 * no queue.
 *
 * <p>The order after Spring Boot's configuration of meters is given by name, because versions 3 and 4 have it in
 * different packages, and because it need not be there.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnSwitch(property = "exactly-once.enabled", byDefault = true)
@Conditional(ExactlyOnceAutoConfiguration.OnDeclaration.class)
@EnableConfigurationProperties(ExactlyOnceProperties.class)
@ImportRuntimeHints(RegisterRuntimeHints.class)
@Import({
    ExactlyOnceBeanProxies.class,
    DatabaseInitializationConfiguration.class,
    CopyConfiguration.class,
    CopyMetricsConfiguration.class,
    CopyHealthConfiguration.class,
    HandlerEndpointConfiguration.class
})
public final class ExactlyOnceAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DurationUnits exactlyOnceDurationUnits() {
        return new DurationUnits("exactly-once");
    }

    /** Whether the application declares something to run, or a queue. Includes a function alone, which is a mistake to report. */
    static final class OnDeclaration extends AnyNestedCondition {

        OnDeclaration() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(HandlerDefinition.class)
        static class Handler {}

        @ConditionalOnBean(SinkDefinition.class)
        static class Sink {}

        @ConditionalOnBean(PumpDefinition.class)
        static class Pump {}

        @ConditionalOnBean(MessageQueue.class)
        static class Queue {}

        @ConditionalOnBean(ExactlyOnceHandler.class)
        static class FunctionAlone {}
    }
}
