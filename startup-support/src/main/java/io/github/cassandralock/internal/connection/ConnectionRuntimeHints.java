package io.github.cassandralock.internal.connection;

import com.datastax.oss.driver.api.core.session.SessionBuilder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ReflectionUtils;

/** What a native image needs by reflection: contact points are read from fields of the driver's builder. */
public final class ConnectionRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        KnownContactPoints.FIELDS.stream()
                .map(name -> ReflectionUtils.findField(SessionBuilder.class, name))
                .filter(Objects::nonNull)
                .forEach(hints.reflection()::registerField);
    }
}
