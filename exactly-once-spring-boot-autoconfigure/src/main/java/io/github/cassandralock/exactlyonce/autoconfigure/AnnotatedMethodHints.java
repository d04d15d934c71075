package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.spring.ExactlyOnce;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/** What a native image needs by reflection: methods with {@code @ExactlyOnce} are called by it. */
final class AnnotatedMethodHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Set<Method> methods = MethodIntrospector.selectMethods(bean.getBeanClass(), (MethodFilter)
                method -> AnnotatedElementUtils.hasAnnotation(method, ExactlyOnce.class));
        return methods.isEmpty()
                ? null
                : (context, code) -> methods.forEach(
                        method -> context.getRuntimeHints().reflection().registerMethod(method, ExecutableMode.INVOKE));
    }
}
