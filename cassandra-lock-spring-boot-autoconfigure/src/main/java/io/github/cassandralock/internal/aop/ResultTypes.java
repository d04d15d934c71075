package io.github.cassandralock.internal.aop;

import java.lang.reflect.Method;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Determines for which results a lock can be held. A stage and a publisher signal the end of their work. A stream, a callable or a
 * plain future does not, so its work would run without the lock.
 */
final class ResultTypes {

    private static final ClassLoader LOADER = ResultTypes.class.getClassLoader();
    private static final String FLUX = "reactor.core.publisher.Flux";
    private static final boolean REACTOR_PRESENT = ClassUtils.isPresent(FLUX, LOADER);
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";
    private static final String FLOW = "kotlinx.coroutines.flow.Flow";

    /** Spring calls suspend functions as publishers if this class and Kotlin's reflection are present. */
    private static final String COROUTINES = "kotlinx.coroutines.reactor.MonoKt";

    private static final boolean COROUTINES_PRESENT =
            ClassUtils.isPresent(COROUTINES, LOADER) && KotlinDetector.isKotlinReflectPresent();

    private static final Map<Class<?>, Object> OPTIONALS = Map.of(
            Optional.class,
            Optional.empty(),
            OptionalInt.class,
            OptionalInt.empty(),
            OptionalLong.class,
            OptionalLong.empty(),
            OptionalDouble.class,
            OptionalDouble.empty());

    /** What returns its value later, declared as the result. An instance may be a value of any kind. */
    private static final List<String> SUPPLIERS =
            List.of("java.util.function.Supplier", "kotlin.jvm.functions.Function0");

    /** Reactive types that several subscribers share: their work does not end with one subscription. */
    private static final List<String> SHARED_NAMES = List.of(
            "reactor.core.publisher.ConnectableFlux",
            "reactor.core.publisher.ParallelFlux",
            "reactor.core.publisher.GroupedFlux",
            "io.reactivex.rxjava3.flowables.ConnectableFlowable",
            "io.reactivex.rxjava3.observables.ConnectableObservable",
            "io.reactivex.rxjava3.parallel.ParallelFlowable");

    private static final List<Class<?>> SHARED = present(SHARED_NAMES);

    /** Types whose work has begun already: a later subscription would acquire a lock too late. */
    private static final List<String> HOT_NAMES = List.of("kotlinx.coroutines.Job");

    private static final List<Class<?>> HOT = present(HOT_NAMES);

    /** Results whose work begins or continues after the method has returned, and whose end cannot be observed. */
    private static final List<String> LAZY_NAMES = List.of(
            "org.reactivestreams.Publisher",
            "java.util.concurrent.Flow$Publisher",
            "kotlin.sequences.Sequence",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.channels.ReceiveChannel",
            FLOW,
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.reactivex.rxjava3.core.ObservableSource",
            "io.reactivex.SingleSource",
            "io.reactivex.MaybeSource",
            "io.reactivex.CompletableSource",
            "io.reactivex.ObservableSource",
            "io.smallrye.mutiny.Uni",
            "io.smallrye.mutiny.Multi",
            "io.vertx.core.Future",
            "io.vavr.concurrent.Future",
            "kotlin.Lazy",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final List<Class<?>> LAZY = Stream.concat(
                    Stream.of(Future.class, Callable.class, BaseStream.class, Iterator.class, Enumeration.class),
                    present(LAZY_NAMES).stream())
            .toList();

    /** The names of all types of other libraries, which may be missing. */
    static Stream<String> names() {
        return Stream.of(List.of(FLUX, COROUTINES), SHARED_NAMES, HOT_NAMES, LAZY_NAMES)
                .flatMap(List::stream);
    }

    private ResultTypes() {}

    private static List<Class<?>> present(List<String> names) {
        return names.stream()
                .filter(name -> ClassUtils.isPresent(name, LOADER))
                .<Class<?>>map(name -> ClassUtils.resolveClassName(name, LOADER))
                .toList();
    }

    /**
     * Returns the adapter of the publisher type that the method returns, or that Spring makes of a suspend function. The lock of
     * such a method is held until its publisher has ended. Empty for all other methods.
     */
    static Optional<ReactiveAdapter> adapter(Method method) {
        Class<?> type = declared(method);
        return isSuspending(method) ? adapter(isFlow(type) ? Flux.class : Mono.class) : adapter(type);
    }

    /** Whether Spring calls the method as a suspend function of Kotlin. Spring 7 would try it with a method of Java, and fail. */
    static boolean isSuspending(Method method) {
        return COROUTINES_PRESENT
                && KotlinDetector.isSuspendingFunction(method)
                && KotlinDetector.isKotlinType(method.getDeclaringClass());
    }

    /** The type of the result. The compiler writes {@code Object} for every suspend function. */
    static Class<?> declared(Method method) {
        return isSuspending(method) ? new MethodParameter(method, -1).getParameterType() : method.getReturnType();
    }

    /** Whether each call has to return a value, and a skipped one has none. */
    static boolean isAlwaysAValue(Method method) {
        Class<?> type = declared(method);
        if (type == void.class || isOptional(type)) {
            return false;
        }
        if (isStage(type)) {
            return isStageOfItsOwn(method);
        }
        return adapter(type)
                .map(adapter -> !adapter.supportsEmpty())
                .orElseGet(() -> type.isPrimitive() || isNeverNull(method));
    }

    static boolean isOptional(Class<?> type) {
        return OPTIONALS.containsKey(type);
    }

    /** The result of a call that is skipped: a completed stage, an empty optional, or null. */
    static @Nullable Object ofSkipped(Class<?> type) {
        return isStage(type) && type.isAssignableFrom(CompletableFuture.class)
                ? CompletableFuture.completedFuture(null)
                : OPTIONALS.get(type);
    }

    /** Whether Kotlin has declared that the result is not null. */
    private static boolean isNeverNull(Method method) {
        return KotlinDetector.isKotlinReflectPresent()
                && KotlinDetector.isKotlinType(method.getDeclaringClass())
                && !new MethodParameter(method, -1).isOptional();
    }

    private static Optional<ReactiveAdapter> adapter(Class<?> type) {
        if (!REACTOR_PRESENT || isStage(type) || isAmong(SHARED, type)) {
            return Optional.empty();
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        return Optional.ofNullable(adapter).filter(found -> type.isAssignableFrom(found.getReactiveType()));
    }

    /** The adapter of a reactive value, whatever class of its library it is an instance of. */
    static Optional<ReactiveAdapter> adapterOf(Object value) {
        Class<?> type = value.getClass();
        if (!REACTOR_PRESENT || isStage(type) || isAmong(SHARED, type) || isAmong(HOT, type)) {
            return Optional.empty();
        }
        return Optional.ofNullable(ReactiveAdapterRegistry.getSharedInstance().getAdapter(type));
    }

    /** Whether the method declares a stage of a type in whose place no other stage can be returned. */
    static boolean isStageOfItsOwn(Method method) {
        Class<?> type = method.getReturnType();
        return isStage(type) && !type.isAssignableFrom(CompletableFuture.class);
    }

    private static boolean isStage(Class<?> type) {
        return CompletionStage.class.isAssignableFrom(type);
    }

    /** Why a lock cannot be held while the method's work runs; null if it can. */
    static @Nullable String problem(Method method) {
        boolean suspending = isSuspending(method);
        if (takesContinuation(method) && !suspending) {
            return "is a suspend function, whose end cannot be observed without kotlinx-coroutines-reactor and kotlin-reflect;"
                    + " add them, or return a Mono or a CompletableFuture";
        }
        Class<?> type = declared(method);
        boolean signalsItsEnd = isStage(type) || adapter(type).isPresent();
        boolean isHeld = suspending ? isFlow(type) : signalsItsEnd;
        if (isHeld || !(signalsItsEnd || isLazy(type) || SUPPLIERS.contains(type.getName()))) {
            return null;
        }
        return "returns " + type.getName() + ", whose work runs after the method has returned, so without the lock;"
                + " return the finished result, a CompletableFuture, or a Mono or Flux";
    }

    private static boolean isFlow(Class<?> type) {
        return type.getName().equals(FLOW);
    }

    private static boolean takesContinuation(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals(CONTINUATION);
    }

    /** Whether a value's work would run after the lock of its method is released. */
    static boolean isLazy(Object value) {
        return !isStage(value.getClass()) && isLazy(value.getClass());
    }

    private static boolean isLazy(Class<?> type) {
        return isAmong(LAZY, type) || isAmong(SHARED, type);
    }

    private static boolean isAmong(List<Class<?>> types, Class<?> type) {
        return types.stream().anyMatch(candidate -> candidate.isAssignableFrom(type));
    }
}
