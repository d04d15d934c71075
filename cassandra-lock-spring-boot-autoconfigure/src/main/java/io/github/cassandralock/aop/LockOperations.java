package io.github.cassandralock.aop;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;

/** Finds, checks and remembers the annotation that applies to a method. Thread-safe. */
final class LockOperations {

    private final ConfigurableBeanFactory beanFactory;
    private final ConcurrentMap<MethodClassKey, LockOperation> found = new ConcurrentHashMap<>();

    LockOperations(ConfigurableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /**
     * The operation for a method of a class, the method's own annotation before the class's.
     *
     * @throws IllegalStateException if the annotation contradicts itself or the method
     */
    Optional<LockOperation> find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        LockOperation known = found.get(key);
        if (known != null) {
            return Optional.of(known);
        }
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        DistributedLock annotation = annotation(method, specific, targetClass);
        if (annotation == null) {
            return Optional.empty(); // not remembered: that would be every method of every bean
        }
        LockOperation operation = operation(annotation, specific, targetClass);
        found.put(key, operation);
        return Optional.of(operation);
    }

    private static @Nullable DistributedLock annotation(Method method, Method specific, Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class) {
            return null;
        }
        DistributedLock own = AnnotatedElementUtils.findMergedAnnotation(specific, DistributedLock.class);
        if (own == null && !method.equals(specific)) {
            own = AnnotatedElementUtils.findMergedAnnotation(method, DistributedLock.class);
        }
        if (own != null || !Modifier.isPublic(specific.getModifiers())) {
            return own;
        }
        return AnnotatedElementUtils.findMergedAnnotation(targetClass, DistributedLock.class);
    }

    private LockOperation operation(DistributedLock annotation, Method method, Class<?> targetClass) {
        String name = targetClass.getName() + "." + method.getName() + "(…)";
        requireMethodThatProxiesSee(method, targetClass, name);
        requireReturnTypeThatCanSkip(annotation, method, name);
        return new LockOperation(
                name,
                LockKey.parse(resolve(annotation.key()), name, beanFactory),
                annotation.strategy(),
                timeout(annotation, name),
                annotation.whenBusy(),
                annotation.onLost());
    }

    /** A proxy passes such calls by in silence; a lock that is not taken must not be silent. */
    private static void requireMethodThatProxiesSee(Method method, Class<?> targetClass, String name) {
        int modifiers = method.getModifiers();
        boolean behindAnInterface = ClassUtils.getInterfaceMethodIfPossible(method, targetClass)
                .getDeclaringClass()
                .isInterface();
        if (Modifier.isPrivate(modifiers)
                || Modifier.isStatic(modifiers)
                || (Modifier.isFinal(modifiers) && !behindAnInterface)) {
            throw new IllegalStateException("@DistributedLock on " + name + " would have no effect: proxies do not see "
                    + Modifier.toString(modifiers) + " methods; make it public and neither static nor final");
        }
    }

    private static void requireReturnTypeThatCanSkip(DistributedLock annotation, Method method, String name) {
        Class<?> type = method.getReturnType();
        if (annotation.strategy() == Strategy.TRY_GET_LOCK
                && annotation.whenBusy() == WhenBusy.SKIP
                && type.isPrimitive()
                && type != void.class) {
            throw new IllegalStateException(
                    "@DistributedLock on " + name + " may skip the method, but then there is no " + type
                            + " to return; let it return void, an object or an Optional, or set whenBusy = THROW");
        }
    }

    private @Nullable Duration timeout(DistributedLock annotation, String name) {
        String text = resolve(annotation.timeout());
        if (text.isBlank()) {
            return null;
        }
        if (annotation.strategy() == Strategy.TRY_GET_LOCK) {
            throw new IllegalStateException("@DistributedLock on " + name + " has the timeout \"" + text
                    + "\", but TRY_GET_LOCK never waits; remove the timeout or use GET_LOCK");
        }
        Duration timeout;
        try {
            timeout = DurationFormatterUtils.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw badTimeout(text, name, e);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw badTimeout(text, name, null);
        }
        return timeout;
    }

    private static IllegalStateException badTimeout(String text, String name, @Nullable Exception cause) {
        return new IllegalStateException(
                "The timeout \"" + text + "\" of @DistributedLock on " + name
                        + " is not a duration of more than zero; write it as 5s, 500ms or PT5S",
                cause);
    }

    private String resolve(String text) {
        String resolved = beanFactory.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }
}
