package io.github.cassandralock.exactlyonce.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image needs by reflection: the data source is read from JPA's transaction manager. */
final class RegisterRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.orm.jpa.JpaTransactionManager",
                        MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
