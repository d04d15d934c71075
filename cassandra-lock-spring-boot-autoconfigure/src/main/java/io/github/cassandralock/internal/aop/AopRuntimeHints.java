package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.internal.key.KeyExpression;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image needs for the annotation. SpEL reads the properties of {@link LockKeyRoot} by reflection, and a composed
 * annotation is seen through a proxy of {@link DistributedLock}. Operands of expressions are exchanged, and result types of other
 * libraries are looked up by name.
 */
public final class AopRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(LockKeyRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        KeyExpression.registerHints(hints);
        hints.proxies().registerJdkProxy(DistributedLock.class);
        ResultTypes.names().forEach(name -> hints.reflection().registerTypeIfPresent(classLoader, name));
    }
}
