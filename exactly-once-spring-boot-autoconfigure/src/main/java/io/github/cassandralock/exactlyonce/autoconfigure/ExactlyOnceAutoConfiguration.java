package io.github.cassandralock.exactlyonce.autoconfigure;

import static io.github.cassandralock.internal.properties.RemovedProperties.Removed.dropped;
import static io.github.cassandralock.internal.properties.RemovedProperties.Removed.renamed;

import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.properties.DurationUnits;
import io.github.cassandralock.internal.properties.RemovedProperties;
import java.util.List;
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
import org.springframework.core.env.Environment;

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

    /** Refuses former properties of exactly-once handlers. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RemovedProperties exactlyOnceRemovedProperties(Environment environment) {
        return new RemovedProperties(
                environment,
                List.of(
                        dropped("exactly-once.idle-pauses.first", "a copy chooses its first pauses itself"),
                        renamed("exactly-once.idle-pauses.longest", "exactly-once.poll.max-interval"),
                        renamed("exactly-once.failure-pauses.first", "exactly-once.retry.initial-interval"),
                        renamed("exactly-once.failure-pauses.longest", "exactly-once.retry.max-interval"),
                        renamed("exactly-once.sending-again.enabled", "exactly-once.resend.enabled"),
                        renamed("exactly-once.jdbc.data-source", "exactly-once.jdbc.data-source-bean"),
                        renamed("exactly-once.jdbc.transaction-manager", "exactly-once.jdbc.transaction-manager-bean"),
                        renamed(
                                "exactly-once.handlers.*.parking.after",
                                "exactly-once.handlers.<name>.parking.min-failures")));
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
