package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.session.SessionBuilder;
import com.datastax.oss.driver.internal.core.context.NettyOptions;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ReflectionUtils;

/**
 * What a native image needs by reflection. A text or a number of a property becomes a {@link ClockDrift} by its static methods. Contact
 * points are read from fields of the driver's builder. The driver's event loops, and whether they shut down, are read by methods whose
 * result types differ between the plain and the shaded driver. JPA's transaction manager is asked for its data source.
 */
final class LockPropertiesRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(ClockDrift.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        KnownContactPoints.FIELDS.stream()
                .map(name -> ReflectionUtils.findField(SessionBuilder.class, name))
                .filter(Objects::nonNull)
                .forEach(hints.reflection()::registerField);
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.orm.jpa.JpaTransactionManager",
                        MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.reflection().registerType(NettyOptions.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        Arrays.stream(NettyOptions.class.getMethods())
                .map(Method::getReturnType)
                .filter(Iterable.class::isAssignableFrom)
                .forEach(group -> hints.reflection().registerType(group, MemberCategory.INVOKE_PUBLIC_METHODS));
    }
}
