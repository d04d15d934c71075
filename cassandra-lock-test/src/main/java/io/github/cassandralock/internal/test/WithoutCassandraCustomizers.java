package io.github.cassandralock.internal.test;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.test.InMemoryLocks;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Selects test classes that get locks in memory, or replace the locker themselves, and so need no Cassandra for locks. */
public final class WithoutCassandraCustomizers implements ContextCustomizerFactory {

    private static final String OVERRIDE = "org.springframework.test.context.bean.override.BeanOverride";
    private static final String MOCK = "org.springframework.test.context.bean.override.mockito.MockitoBean";
    private static final String SPY = "org.springframework.test.context.bean.override.mockito.MockitoSpyBean";

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        boolean inMemory = TestContextAnnotationUtils.hasAnnotation(testClass, InMemoryLocks.class);
        return inMemory || replacesTheLocker(testClass) ? new WithoutCassandraCustomizer(inMemory) : null;
    }

    /** Whether a bean override of Spring, such as {@code @MockitoBean}, replaces the locker. */
    private static boolean replacesTheLocker(Class<?> testClass) {
        return (ClassUtils.isPresent(OVERRIDE, testClass.getClassLoader()) && hasOverride(testClass))
                || (TestContextAnnotationUtils.searchEnclosingClass(testClass)
                        && replacesTheLocker(testClass.getEnclosingClass()));
    }

    private static boolean hasOverride(Class<?> testClass) {
        return fieldsOf(testClass)
                        .filter(field -> field.getType() == RemoteLocker.class)
                        .map(MergedAnnotations::from)
                        .anyMatch(on -> on.isPresent(OVERRIDE) && !on.isPresent(SPY))
                || MergedAnnotations.from(testClass, SearchStrategy.TYPE_HIERARCHY).stream(MOCK)
                        .flatMap(mock -> Arrays.stream(mock.getClassArray("types")))
                        .anyMatch(type -> type == RemoteLocker.class);
    }

    private static Stream<Field> fieldsOf(Class<?> testClass) {
        Set<Field> fields = new LinkedHashSet<>();
        ReflectionUtils.doWithFields(testClass, fields::add);
        return fields.stream();
    }
}
