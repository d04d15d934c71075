package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.internal.core.context.NettyOptions;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;

/**
 * What a native image needs by reflection. Static methods of {@link ClockDrift} convert a text or a number of a property. Methods
 * read the driver's event loops, and whether they shut down. The plain and the shaded driver have different result types for
 * them. A field of a scheduler has its executor.
 */
final class LockPropertiesRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(ClockDrift.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.reflection().registerType(NettyOptions.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        Arrays.stream(NettyOptions.class.getMethods())
                .map(Method::getReturnType)
                .filter(Iterable.class::isAssignableFrom)
                .forEach(group -> hints.reflection().registerType(group, MemberCategory.INVOKE_PUBLIC_METHODS));
        Arrays.stream(ConcurrentTaskScheduler.class.getDeclaredFields())
                .filter(field -> field.getType() == ScheduledExecutorService.class)
                .forEach(field -> hints.reflection().registerField(field));
    }
}
