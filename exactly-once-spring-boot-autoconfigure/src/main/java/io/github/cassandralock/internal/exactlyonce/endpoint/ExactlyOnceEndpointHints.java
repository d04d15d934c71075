package io.github.cassandralock.internal.exactlyonce.endpoint;

import io.github.cassandralock.internal.endpoint.MessageBody;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to keep for the endpoint {@code exactlyonce}: the bodies that become JSON. */
public final class ExactlyOnceEndpointHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        hints.reflection(),
                        ExactlyOnceEndpoint.HandlersBody.class,
                        ParkedReports.Page.class,
                        MessageBody.class);
    }
}
