package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Types that contain annotations, valid or not. */
public final class AnnotatedTypes {

    private AnnotatedTypes() {}

    /** Whether the class, or a method of it, has a {@link DistributedLock}. */
    public static boolean contain(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, DistributedLock.class)
                && (AnnotatedElementUtils.hasAnnotation(type, DistributedLock.class)
                        || methods(type)
                                .anyMatch(
                                        method -> AnnotatedElementUtils.hasAnnotation(method, DistributedLock.class)));
    }

    /**
     * Whether the class, a superclass, an interface, or a method of these has the annotation. Most beans have none. No method is
     * compared with the methods that it overrides, which would take long for all methods of all beans.
     */
    static boolean mayContain(@Nullable Class<?> type) {
        return type != null
                && AnnotationUtils.isCandidateClass(type, DistributedLock.class)
                && (isAnnotated(type)
                        || Arrays.stream(ReflectionUtils.getDeclaredMethods(type))
                                .anyMatch(AnnotatedTypes::isAnnotated)
                        || mayContain(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(AnnotatedTypes::mayContain));
    }

    /** Most elements have no annotation at all, which is found without a search. */
    private static boolean isAnnotated(AnnotatedElement element) {
        return element.getDeclaredAnnotations().length > 0
                && MergedAnnotations.from(element).isPresent(DistributedLock.class);
    }

    /** The methods that Spring matches with pointcuts, and private ones. */
    static Stream<Method> methods(Class<?> type) {
        Stream<Class<?>> own = isKnownByItsInterfaces(type) ? Stream.empty() : Stream.of(ClassUtils.getUserClass(type));
        return Stream.concat(own, ClassUtils.getAllInterfacesForClassAsSet(type).stream())
                .flatMap(declaring -> Arrays.stream(ReflectionUtils.getAllDeclaredMethods(declaring)));
    }

    /**
     * Whether the class belongs to a JDK proxy or to a lambda. Spring makes proxies of its interfaces, whose methods have names for
     * their parameters.
     */
    static boolean isKnownByItsInterfaces(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Whether no class proxy can be made. */
    static boolean cannotBeExtended(Class<?> type) {
        return Modifier.isFinal(type.getModifiers()) || type.isSealed();
    }

    /** Returns how to change a class or a method for a proxy to extend it, in its language's words. */
    static String extensible(Class<?> type) {
        return KotlinDetector.isKotlinType(type)
                ? "open, or use the compiler plugin kotlin-spring, which opens the classes of beans"
                : "non-final";
    }
}
