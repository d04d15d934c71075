package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.internal.key.KeyExpression;
import java.lang.reflect.Method;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * What a native image needs for the annotation. Expressions of {@code onceFor} call methods of the types of periods, and name time
 * zones. SpEL reads the properties of {@link LockKeyRoot} by reflection, and a composed annotation is seen through a proxy of {@link
 * DistributedLock}. Operands of expressions are exchanged, and result types of other libraries are looked up by name. Of the
 * parameters of annotated methods, the component of a record or of a value class is read.
 */
public final class AnnotationHints implements RuntimeHintsRegistrar, BeanRegistrationAotProcessor {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        Stream.of(
                        LockKeyRoot.class,
                        LocalDate.class,
                        LocalDateTime.class,
                        Instant.class,
                        YearMonth.class,
                        Year.class,
                        ZoneId.class,
                        ZoneOffset.class)
                .forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
        hints.reflection().registerType(ZoneOffset.class, zone -> zone.withField("UTC"));
        KeyExpression.registerHints(hints);
        hints.proxies().registerJdkProxy(DistributedLock.class);
        ResultTypes.names().forEach(name -> hints.reflection().registerTypeIfPresent(classLoader, name));
    }

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = bean.getBeanClass();
        if (!AnnotatedTypes.contain(type)) {
            return null;
        }
        List<Class<?>> parameters = AnnotatedTypes.methods(type)
                .map(Method::getParameterTypes)
                .flatMap(Stream::of)
                .filter(parameter ->
                        !parameter.isPrimitive() && !parameter.getName().startsWith("java."))
                .distinct()
                .toList();
        return (generation, code) -> parameters.forEach(parameter -> generation
                .getRuntimeHints()
                .reflection()
                .registerType(parameter, MemberCategory.INVOKE_PUBLIC_METHODS));
    }
}
