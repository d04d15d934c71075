package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.internal.endpoint.StrictParameters;
import io.github.cassandralock.internal.exactlyonce.LagSampler;
import io.github.cassandralock.internal.exactlyonce.endpoint.CopyReports;
import io.github.cassandralock.internal.exactlyonce.endpoint.ExactlyOnceEndpoint;
import io.github.cassandralock.internal.exactlyonce.endpoint.ParkedReports;
import io.github.cassandralock.internal.exactlyonce.endpoint.SendingEndpoint;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The endpoint {@code exactlyonce}, if Actuator is present and the endpoint is exposed. The annotations of Actuator are on a nested
 * class, which is not loaded without Actuator.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
class HandlerEndpointConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = ExactlyOnceEndpoint.class)
    static class Available {

        @Bean
        ParkedReports exactlyOnceParkedReports(
                ObjectProvider<HandlerDefinition<?>> handlers, ObjectProvider<Queues> queues) {
            return new ParkedReports(handlers.orderedStream().toList(), name -> formerQueue(queues.getObject(), name));
        }

        private static MessageQueue formerQueue(Queues queues, String name) {
            try {
                return queues.forOneUse(name);
            } catch (InvalidExactlyOncePropertyException e) {
                throw new IllegalArgumentException("The request names queue '" + name + "'. " + e.getMessage(), e);
            }
        }

        @Bean
        StrictParameters exactlyOnceStrictParameters() {
            return new StrictParameters(ExactlyOnceEndpoint.GUARD);
        }

        @Bean
        @ConditionalOnMissingBean
        ExactlyOnceEndpoint exactlyOnceEndpoint(
                ParkedReports parked,
                ObservedCopies copies,
                ObjectProvider<LagSampler> lags,
                ExactlyOnceProperties properties) {
            CopyReports reports =
                    new CopyReports(copies::runners, copies::storeProblem, Optional.ofNullable(lags.getIfAvailable()));
            return properties.resend().enabled()
                    ? new SendingEndpoint(parked, reports)
                    : new ExactlyOnceEndpoint(parked, reports);
        }
    }
}
