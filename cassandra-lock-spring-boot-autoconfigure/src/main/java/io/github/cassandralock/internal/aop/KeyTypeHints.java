package io.github.cassandralock.internal.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * What a native image needs for the parameters of annotated methods: the component of a record or of a value class is read by
 * reflection.
 */
final class KeyTypeHints implements BeanRegistrationAotProcessor {

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
