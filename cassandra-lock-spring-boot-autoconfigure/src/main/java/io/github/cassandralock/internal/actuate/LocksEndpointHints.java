package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.internal.endpoint.MessageBody;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to keep for the endpoint: the page's files, and the bodies that become JSON. */
public final class LocksEndpointHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern(PageFiles.PATTERN);
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        hints.reflection(),
                        Bodies.Overview.class,
                        Bodies.OneLock.class,
                        Bodies.Locks.class,
                        MessageBody.class);
    }
}
