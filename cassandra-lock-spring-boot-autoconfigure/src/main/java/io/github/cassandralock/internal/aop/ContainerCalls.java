package io.github.cassandralock.internal.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** Which methods of a bean the container calls on the bean itself, and not through its proxy. */
final class ContainerCalls {

    /** Given by name, because the libraries may be missing. */
    private static final List<String> ANNOTATIONS = List.of(
            "jakarta.annotation.Resource",
            "jakarta.inject.Inject",
            "jakarta.persistence.PersistenceContext",
            "jakarta.persistence.PersistenceUnit",
            "javax.annotation.Resource",
            "javax.inject.Inject",
            "org.springframework.beans.factory.annotation.Autowired",
            "org.springframework.beans.factory.annotation.Value");

    /** The container also calls a method without the annotation, if it overrides a method that has one. */
    private static final List<String> INHERITED = List.of(
            "jakarta.annotation.PostConstruct",
            "jakarta.annotation.PreDestroy",
            "javax.annotation.PostConstruct",
            "javax.annotation.PreDestroy");

    /** The container calls these on the bean itself. */
    private static final List<Class<?>> BYPASSING = List.of(InitializingBean.class, DisposableBean.class, Aware.class);

    /** The container calls these through the proxy, or is not their only caller. An annotation of a class does not cover them. */
    private static final List<Class<?>> OTHERS =
            List.of(Lifecycle.class, Phased.class, Ordered.class, AutoCloseable.class);

    private static final String CONTAINER = "org.springframework.beans.factory.";

    /** The container infers from these names a method that ends a bean. */
    private static final List<String> INFERRED = List.of("close", "shutdown");

    private ContainerCalls() {}

    /** Returns why the container calls the method on the bean itself: an annotation, or an interface. For messages. */
    static Optional<String> bypassingTheProxy(Method method, Class<?> targetClass) {
        MergedAnnotations own = MergedAnnotations.from(method);
        MergedAnnotations inherited = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        Optional<String> annotation = Stream.concat(
                        ANNOTATIONS.stream().filter(own::isPresent),
                        INHERITED.stream().filter(inherited::isPresent))
                .map(name -> "@" + ClassUtils.getShortName(name))
                .findFirst();
        if (annotation.isPresent()) {
            return annotation;
        }
        return declaringInterface(method, targetClass)
                .filter(declaring -> isAmong(BYPASSING, declaring))
                .map(Class::getSimpleName);
    }

    /** Whether an annotation of the class leaves the method out. */
    static boolean isCallback(Method method, Class<?> targetClass) {
        return AnnotatedElementUtils.hasAnnotation(method, Bean.class)
                || bypassingTheProxy(method, targetClass).isPresent()
                || declaringInterface(method, targetClass)
                        .filter(declaring -> declaring.getName().startsWith(CONTAINER) || isAmong(OTHERS, declaring))
                        .isPresent();
    }

    /** The interface from which a bean has the method. */
    private static Optional<Class<?>> declaringInterface(Method method, Class<?> targetClass) {
        Class<?> declaring =
                ClassUtils.getInterfaceMethodIfPossible(method, targetClass).getDeclaringClass();
        return declaring.isInterface() ? Optional.of(declaring) : Optional.empty();
    }

    private static boolean isAmong(List<Class<?>> types, Class<?> declaring) {
        return types.stream().anyMatch(type -> type.isAssignableFrom(declaring));
    }

    /** The methods that a bean definition names to begin and to end the bean. */
    static List<Method> named(RootBeanDefinition definition, Class<?> type) {
        return Stream.concat(names(definition.getInitMethodNames()).stream(), destroyMethods(definition, type).stream())
                .map(name -> BeanUtils.findMethodWithMinimalParameters(type, name))
                .filter(Objects::nonNull)
                .toList();
    }

    private static List<String> destroyMethods(RootBeanDefinition definition, Class<?> type) {
        List<String> names = names(definition.getDestroyMethodNames());
        boolean inferred = names.contains(AbstractBeanDefinition.INFER_METHOD)
                || (names.isEmpty() && AutoCloseable.class.isAssignableFrom(type));
        if (!inferred) {
            return names;
        }
        if (DisposableBean.class.isAssignableFrom(type)) {
            return List.of();
        }
        return INFERRED.stream()
                .filter(name -> ClassUtils.hasMethod(type, name))
                .limit(1)
                .toList();
    }

    private static List<String> names(String @Nullable [] names) {
        return names == null ? List.of() : List.of(names);
    }
}
