package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.DistributedLock.WhenUnavailable;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.properties.DurationUnits;
import io.github.cassandralock.internal.time.Ticker;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the annotation that applies to a method, validates it, and caches the result. Thread-safe. */
final class LockOperations {

    /** A hundred years. A long holds nanoseconds for 292 years. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(36_500);

    private final ConfigurableListableBeanFactory beanFactory;
    private final ChosenLockers lockers;
    private final ConcurrentMap<MethodClassKey, LockOperation> found = new ConcurrentHashMap<>();
    private final ConcurrentMap<Class<?>, Boolean> searched = new ConcurrentHashMap<>();

    LockOperations(ConfigurableListableBeanFactory beanFactory, ChosenLockers lockers) {
        this.beanFactory = beanFactory;
        this.lockers = lockers;
    }

    /**
     * Whether a method of the class has a lock. Examines every method, also those that a proxy cannot intercept.
     *
     * @throws IllegalStateException if an annotation is invalid
     */
    boolean areIn(Class<?> type) {
        Boolean known = searched.get(type);
        if (known != null) {
            return known;
        }
        boolean any = AnnotatedTypes.mayContain(type) && search(type);
        searched.put(type, any);
        return any;
    }

    private boolean search(Class<?> type) {
        boolean any = AnnotatedTypes.methods(type)
                        .filter(method -> !method.isSynthetic())
                        .filter(method -> find(method, type).isPresent())
                        .count()
                > 0;
        if (!any) {
            requireNoUselessAnnotation(type);
        }
        return any;
    }

    private static void requireNoUselessAnnotation(Class<?> type) {
        if (AnnotatedElementUtils.hasAnnotation(type, DistributedLock.class)) {
            throw new MistakenAnnotationException("@DistributedLock on " + type.getName()
                    + " would have no effect: the class has no public method that callers call through a proxy;"
                    + " put the annotation on the methods that need the lock");
        }
    }

    /**
     * Returns the operation for a method of a class. The method's annotation has priority over the class's annotation.
     *
     * @throws IllegalStateException if the annotation is invalid
     */
    Optional<LockOperation> find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        LockOperation known = found.get(key);
        if (known != null) {
            return Optional.of(known);
        }
        Method specific = specific(method, targetClass);
        DistributedLock annotation = annotation(method, specific, targetClass);
        if (annotation == null) {
            return Optional.empty(); // not cached, because that would be every method of every bean
        }
        LockOperation operation = operation(annotation, specific, targetClass);
        found.put(key, operation);
        return Optional.of(operation);
    }

    /** Returns the method of the bean's class; for a JDK proxy or a lambda, the method of the interface. */
    static Method specific(Method method, Class<?> targetClass) {
        return AnnotatedTypes.isKnownByItsInterfaces(targetClass)
                ? ClassUtils.getInterfaceMethodIfPossible(method, targetClass)
                : AopUtils.getMostSpecificMethod(method, targetClass);
    }

    private @Nullable DistributedLock annotation(Method method, Method specific, Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class
                || (method.isSynthetic() && Modifier.isStatic(method.getModifiers()))) {
            return null; // the compiler of Kotlin copies annotations of an open suspend function to its implementation
        }
        DistributedLock own = AnnotatedElementUtils.findMergedAnnotation(specific, DistributedLock.class);
        if (own == null && !method.equals(specific)) {
            own = AnnotatedElementUtils.findMergedAnnotation(method, DistributedLock.class);
        }
        if (own != null) {
            return own;
        }
        DistributedLock ofClass = AnnotatedElementUtils.findMergedAnnotation(targetClass, DistributedLock.class);
        if (ofClass == null || !isCoveredByTheClass(specific, targetClass)) {
            return null;
        }
        requireNoPeriodOfAClass(ofClass, targetClass);
        return ofClass;
    }

    /** The first method that completes a period would keep the others from running. */
    private static void requireNoPeriodOfAClass(DistributedLock annotation, Class<?> targetClass) {
        if (!annotation.onceFor().isBlank()) {
            throw new MistakenAnnotationException("@DistributedLock on " + targetClass.getName()
                    + " has onceFor, but its methods would share one period; put the annotation on the method that is to run once"
                    + " for each period");
        }
    }

    /**
     * An annotation on the class covers its public methods, except methods that callers do not call through the proxy. These are
     * static methods, methods of Object, callbacks of the container, and final methods of classes without the annotation.
     */
    private boolean isCoveredByTheClass(Method method, Class<?> targetClass) {
        int modifiers = method.getModifiers();
        return Modifier.isPublic(modifiers)
                && !Modifier.isStatic(modifiers)
                && !ReflectionUtils.isEqualsMethod(method)
                && !ReflectionUtils.isHashCodeMethod(method)
                && !ReflectionUtils.isToStringMethod(method)
                && !ContainerCalls.isCallback(method, targetClass)
                && (!Modifier.isFinal(modifiers)
                        || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), DistributedLock.class))
                && !isNamedByADefinition(method, targetClass);
    }

    /** A method without parameters can be one with which the container begins or ends a bean. Looks through all definitions. */
    private boolean isNamedByADefinition(Method method, Class<?> targetClass) {
        return method.getParameterCount() == 0
                && Stream.of(beanFactory.getBeanNamesForType(targetClass, true, false))
                        .filter(beanFactory::containsBeanDefinition)
                        .map(bean -> (RootBeanDefinition) beanFactory.getMergedBeanDefinition(bean))
                        .anyMatch(definition ->
                                ContainerCalls.named(definition, targetClass).contains(method));
    }

    static MistakenAnnotationException calledByTheContainer(String name, String by) {
        return new MistakenAnnotationException("@DistributedLock on " + name
                + " would have no effect. The container calls the method on the bean itself, because of " + by
                + ", and not through the proxy. Move the work to a method of another bean, or take the lock by"
                + " RemoteLocker");
    }

    private LockOperation operation(DistributedLock annotation, Method method, Class<?> targetClass) {
        String name = targetClass.getName() + "." + method.getName() + "(…)";
        requireNoFactoryMethod(method, name);
        requireInterceptableMethod(method, targetClass, name);
        ContainerCalls.bypassingTheProxy(method, targetClass).ifPresent(by -> {
            throw calledByTheContainer(name, by);
        });
        requireOneAnnotation(method, name);
        requireOneAnnotation(targetClass, name);
        requireEffect(annotation, method, name);
        requireResultThatCanBeHeld(method, name);
        requireReturnTypeThatCanSkip(annotation, method, name);
        return new LockOperation(
                name,
                lockers.beanName(resolve("locker", annotation.locker(), name), name),
                key(annotation, method, name),
                annotation.strategy(),
                annotation.mode(),
                annotation.permits(),
                timeout(annotation, name),
                holdAtLeast(annotation, name),
                holdAtMost(annotation, name),
                annotation.whenBusy(),
                annotation.whenUnavailable(),
                annotation.onLost(),
                OncePeriod.parse(resolve("onceFor", annotation.onceFor(), name), name, method, beanFactory),
                new SkippedRuns(Level.INFO, Ticker.system()),
                new SkippedRuns(Level.WARN, Ticker.system()));
    }

    /**
     * Checks the annotations that have been found so far.
     *
     * @param support of the algorithm of a locker; empty if it is unknown. Used only if an annotation has a mode, a period or
     *     permits
     * @throws IllegalStateException if an annotation has a mode, a period or permits that are not supported
     */
    void requireSupport(Function<RemoteLocker, Optional<AlgorithmSupport>> support) {
        found.values().stream()
                .filter(operation ->
                        operation.mode() != LockMode.EXCLUSIVE || operation.hasPeriod() || operation.permits() > 1)
                .forEach(operation ->
                        support.apply(lockers.get(operation)).ifPresent(known -> known.requireFor(operation)));
    }

    private LockName key(DistributedLock annotation, Method method, String name) {
        String key = resolve("key", annotation.key(), name);
        String generator = resolve("keyGenerator", annotation.keyGenerator(), name);
        if (generator.isBlank()) {
            return LockKey.parse(key, name, method, beanFactory);
        }
        if (!key.isBlank()) {
            throw new MistakenAnnotationException(
                    "@DistributedLock on " + name + " has the key \"" + key + "\" and the keyGenerator '" + generator
                            + "'. Only one of the two can give the lock id; remove the other");
        }
        return GeneratedKey.of(generator, name, beanFactory);
    }

    /** The container calls it once, when it creates the bean. */
    private static void requireNoFactoryMethod(Method method, String name) {
        if (AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
            throw new MistakenAnnotationException("@DistributedLock on " + name
                    + " would have no effect. The methods of a bean do not get the annotation of its @Bean method; put"
                    + " it on the class of the bean, or on its methods");
        }
    }

    /** Of several annotations on one element, directly or in composed annotations, only the nearest would have an effect. */
    private static void requireOneAnnotation(AnnotatedElement element, String name) {
        if (MergedAnnotations.from(element).stream(DistributedLock.class).count() > 1) {
            throw new MistakenAnnotationException("@DistributedLock on " + name + " stands several times on " + element
                    + ", directly or in composed annotations. Only one of them would have an effect; remove the"
                    + " others");
        }
    }

    private static void requireEffect(DistributedLock annotation, Method method, String name) {
        if (annotation.strategy() == Strategy.GET_LOCK && annotation.whenBusy() != WhenBusy.DEFAULT) {
            throw new MistakenAnnotationException("@DistributedLock on " + name + " has whenBusy = "
                    + annotation.whenBusy()
                    + ", but GET_LOCK waits until the lock is free; remove whenBusy or use TRY_GET_LOCK");
        }
        if (annotation.strategy() == Strategy.GET_LOCK && annotation.whenUnavailable() != WhenUnavailable.THROW) {
            throw new MistakenAnnotationException("@DistributedLock on " + name + " has whenUnavailable = "
                    + annotation.whenUnavailable()
                    + ", but GET_LOCK waits for Cassandra as well; remove whenUnavailable or use TRY_GET_LOCK");
        }
        if (annotation.strategy() == Strategy.TRY_GET_LOCK
                && !annotation.timeout().isBlank()) {
            throw new MistakenAnnotationException("@DistributedLock on " + name + " has the timeout \""
                    + annotation.timeout() + "\", but TRY_GET_LOCK never waits; remove the timeout or use GET_LOCK");
        }
        requirePeriodWithItsLock(annotation, method, name);
        AnnotatedPermits.require(annotation, name);
        if (annotation.mode() == LockMode.NULL
                && (annotation.strategy() == Strategy.TRY_GET_LOCK
                        || !annotation.timeout().isBlank()
                        || !annotation.holdAtLeast().isBlank())) {
            throw new MistakenAnnotationException("@DistributedLock on " + name
                    + " has the mode NULL, which conflicts with nothing, so strategy, timeout and holdAtLeast would"
                    + " have no effect; remove them, or choose another mode");
        }
        if (annotation.onLost() == OnLost.INTERRUPT
                && ResultTypes.adapter(method).isPresent()) {
            throw new MistakenAnnotationException("@DistributedLock on " + name
                    + " has onLost = INTERRUPT. The work of a publisher or a coroutine does not belong to one thread."
                    + " Remove onLost: the call fails if the lock is lost");
        }
    }

    private static void requirePeriodWithItsLock(DistributedLock annotation, Method method, String name) {
        if (annotation.onceFor().isBlank()) {
            return;
        }
        if (annotation.strategy() == Strategy.TRY_GET_LOCK) {
            throw new MistakenAnnotationException("@DistributedLock on " + name
                    + " has onceFor, but TRY_GET_LOCK skips a run while another instance runs, which may crash; use"
                    + " GET_LOCK, which waits, and then skips the run if the period is completed");
        }
        if (annotation.mode() != LockMode.EXCLUSIVE) {
            throw new MistakenAnnotationException("@DistributedLock on " + name + " has onceFor and the mode "
                    + annotation.mode() + ", but a period is completed by one holder at a time; remove the mode");
        }
        if (ResultTypes.isStageOfItsOwn(method)) {
            throw new MistakenAnnotationException(
                    "@DistributedLock on " + name + " has onceFor and returns "
                            + method.getReturnType().getName()
                            + ", which would complete before the period is recorded; return a CompletableFuture or a CompletionStage");
        }
    }

    /** A proxy cannot intercept calls of these methods; without this check they would silently run without the lock. */
    private static void requireInterceptableMethod(Method method, Class<?> targetClass, String name) {
        int modifiers = method.getModifiers();
        boolean isFinal = Modifier.isFinal(modifiers) && !Proxy.isProxyClass(targetClass);
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || isFinal) {
            throw new MistakenAnnotationException(
                    "@DistributedLock on " + name + " would have no effect: a proxy cannot intercept "
                            + Modifier.toString(modifiers) + " methods; make it public and neither static nor final"
                            + (isFinal && KotlinDetector.isKotlinType(method.getDeclaringClass())
                                    ? ", in Kotlin " + AnnotatedTypes.extensible(method.getDeclaringClass())
                                    : ""));
        }
        boolean seenByItsPackageAlone = (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
        if (seenByItsPackageAlone
                && !method.getDeclaringClass().getPackageName().equals(targetClass.getPackageName())) {
            throw new MistakenAnnotationException(
                    "@DistributedLock on " + name + " would have no effect. The method of "
                            + method.getDeclaringClass().getName()
                            + " is package-private, and the bean's proxy is in another package; make it public");
        }
    }

    private static void requireResultThatCanBeHeld(Method method, String name) {
        String problem = ResultTypes.problem(method);
        if (problem != null) {
            throw new MistakenAnnotationException(
                    "@DistributedLock on " + name + " cannot hold its lock: the method " + problem);
        }
    }

    private static boolean maySkip(DistributedLock annotation) {
        return !annotation.onceFor().isBlank()
                || annotation.whenUnavailable() == WhenUnavailable.SKIP
                || (annotation.strategy() == Strategy.TRY_GET_LOCK && annotation.whenBusy() != WhenBusy.THROW);
    }

    private static void requireReturnTypeThatCanSkip(DistributedLock annotation, Method method, String name) {
        if (maySkip(annotation) && ResultTypes.isAlwaysAValue(method)) {
            throw new MistakenAnnotationException("@DistributedLock on " + name
                    + " may skip the method, but then there is no "
                    + ResultTypes.declared(method)
                    + " to return; declare it to return void, an object that may be null, an Optional or a CompletableFuture"
                    + (annotation.onceFor().isBlank() ? ", or set whenBusy = THROW and whenUnavailable = THROW" : ""));
        }
    }

    private @Nullable Duration timeout(DistributedLock annotation, String name) {
        return duration(
                "timeout",
                annotation.timeout(),
                name,
                timeout -> !timeout.isNegative() && !timeout.isZero() && timeout.compareTo(LONGEST_TIMEOUT) <= 0,
                "of more than zero and at most " + LONGEST_TIMEOUT.toDays()
                        + " days; write it as 5s, 500ms or PT5S, or remove it to wait without a limit");
    }

    private Duration holdAtLeast(DistributedLock annotation, String name) {
        Duration configured = duration(
                "holdAtLeast",
                annotation.holdAtLeast(),
                name,
                atLeast -> !atLeast.isNegative() && atLeast.compareTo(LockRequest.MAX_HOLD_AT_LEAST) <= 0,
                "from zero to " + LockRequest.MAX_HOLD_AT_LEAST.toHours()
                        + " hours; write it as 10s, 500ms or PT10S, or remove it to have no minimum");
        return configured == null ? Duration.ZERO : configured;
    }

    private @Nullable Duration holdAtMost(DistributedLock annotation, String name) {
        Duration atLeast = holdAtLeast(annotation, name);
        return duration(
                "holdAtMost",
                annotation.holdAtMost(),
                name,
                atMost -> atMost.toMillis() > 0
                        && atMost.compareTo(atLeast) >= 0
                        && atMost.compareTo(LockRequest.MAX_HOLD_AT_MOST) <= 0,
                "from one millisecond to " + LockRequest.MAX_HOLD_AT_MOST.toDays()
                        + " days that is not shorter than holdAtLeast; write it as 10m, 90s or PT10M, or remove it to have no bound");
    }

    /**
     * Returns the duration of an attribute; null if it is blank.
     *
     * @param otherwise the allowed durations, and what to write; the end of a message
     */
    private @Nullable Duration duration(
            String attribute, String configured, String name, Predicate<Duration> allowed, String otherwise) {
        String text = resolve(attribute, configured, name);
        if (text.isBlank()) {
            return null;
        }
        requireUnit(attribute, text, name);
        String problem = "The " + attribute + " \"" + text + "\" of @DistributedLock on " + name + " is not a duration "
                + otherwise;
        Duration duration;
        try {
            duration = DurationFormatterUtils.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new MistakenAnnotationException(problem, e);
        }
        if (!allowed.test(duration)) {
            throw new MistakenAnnotationException(problem);
        }
        return duration;
    }

    private static void requireUnit(String attribute, String text, String name) {
        if (DurationUnits.areMissingIn(text)) {
            throw new MistakenAnnotationException(
                    "The " + attribute + " \"" + text + "\" of @DistributedLock on " + name
                            + " has no unit, so it would be milliseconds; write \"" + text.strip() + "s\" or \""
                            + text.strip() + "ms\"");
        }
    }

    /** Replaces the placeholders of an attribute. An attribute that is then blank would be ignored in silence. */
    private String resolve(String attribute, String text, String name) {
        String resolved = Objects.requireNonNullElse(beanFactory.resolveEmbeddedValue(text), "");
        if (resolved.isBlank() && !text.isEmpty()) {
            throw new MistakenAnnotationException(
                    "The " + attribute + " \"" + text + "\" of @DistributedLock on " + name
                            + " is blank when its placeholders are replaced, so it would have no effect; give it a value, or remove it");
        }
        return resolved;
    }
}
