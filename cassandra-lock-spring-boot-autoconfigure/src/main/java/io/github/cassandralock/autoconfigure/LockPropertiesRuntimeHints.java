package io.github.cassandralock.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must know of the properties: a text or a number becomes a {@link ClockDrift} by its static methods. */
final class LockPropertiesRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(ClockDrift.class, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
