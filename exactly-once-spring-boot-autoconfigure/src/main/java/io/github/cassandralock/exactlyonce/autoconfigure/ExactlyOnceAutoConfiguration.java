package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Runs the handlers, sinks and pumps that the application declares as beans. Creates nothing if it declares none, and
 * no queue.
 */
@AutoConfiguration
@ConditionalOnSwitch(property = "exactly-once.enabled", byDefault = true)
@Conditional(ExactlyOnceAutoConfiguration.OnDeclaration.class)
@ImportRuntimeHints(RegisterRuntimeHints.class)
@Import({
    ExactlyOnceBeanProxies.class,
    PropertyConfiguration.class,
    TransactionConfiguration.class,
    DatabaseInitializationConfiguration.class,
    CopyConfiguration.class
})
public final class ExactlyOnceAutoConfiguration {

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
