package io.github.cassandralock;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import java.time.Instant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A handler as an application declares it, in a package in which the library defines no beans. */
@Configuration(proxyBeanMethods = false)
public class DeclaredHandler {

    @Bean
    HandlerDefinition<String> handler(HandlerBuilders handlers, Queues queues) {
        return handlers.named(
                        "echo",
                        (String state, Inputs inputs, Instant time) -> HandlerResult.of(state),
                        StateCodec.of(Codec.utf8()),
                        () -> "")
                .input(queues.named("in"))
                .build();
    }
}
