package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.io.Serializable;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.InvocationHandlerAdapter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.test.util.ReflectionTestUtils;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

/**
 * Every type that a method may return, with every form of the annotation: the lock is held while the method's work runs, or the
 * start is refused, or, where the declared type does not tell, the call is. The reactive types are those that Spring knows.
 *
 * <p>Fails where any of them runs without its lock.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ReturnTypesIT {

    private static final String LOCK = "return-types";
    private static final String KEY = "'return-types'";
    private static final ClassLoadingStrategy<ClassLoader> BESIDE_THIS_CLASS =
            ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup());
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final long SEED = Long.getLong("return-types.seed", 1);
    private static final int SAMPLE = 60;

    /** What became of the work of one method. */
    private enum Outcome {
        HELD,
        START_REFUSED,
        CALL_REFUSED
    }

    /** Where the annotation stands. */
    private enum Form {
        ON_THE_METHOD,
        ON_THE_CLASS,
        ON_THE_INTERFACE,
        META_ANNOTATION
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(key = KEY)
    @interface Waiting {}

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(key = KEY, strategy = Strategy.TRY_GET_LOCK, whenBusy = WhenBusy.THROW)
    @interface Trying {}

    /** Makes a result that does the work, now or when it is asked to. */
    private interface Result extends Function<Supplier<String>, @Nullable Object> {}

    private final CassandraCluster cluster;
    private Application application;
    private Application other;
    private int generated;

    ReturnTypesIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void start() {
        application = Application.start(cluster);
        other = Application.start(cluster);
    }

    @AfterAll
    void stop() {
        application.close();
        other.close();
    }

    /** Those that Spring knows, and what else begins or goes on after the method has returned. */
    private static Map<Class<?>, Result> lateResults() {
        Map<Class<?>, Result> results = new LinkedHashMap<>();
        for (ReactiveAdapter adapter : springsAdapters()) {
            results.put(adapter.getReactiveType(), work -> adapter.fromPublisher(Mono.fromSupplier(work)));
        }
        results.put(CompletionStage.class, CompletableFuture::supplyAsync);
        results.put(CompletableFuture.class, CompletableFuture::supplyAsync);
        results.put(
                ParallelFlux.class,
                work -> Flux.defer(() -> Flux.just(work.get())).parallel());
        results.put(
                ConnectableFlux.class,
                work -> Flux.defer(() -> Flux.just(work.get())).publish());
        results.put(
                io.reactivex.rxjava3.parallel.ParallelFlowable.class,
                work -> Flowable.fromSupplier(work::get).parallel());
        results.put(
                io.reactivex.rxjava3.flowables.ConnectableFlowable.class,
                work -> Flowable.fromSupplier(work::get).publish());
        results.put(Future.class, work -> new FutureTask<>(work::get));
        results.put(FutureTask.class, work -> new FutureTask<>(work::get));
        results.put(Callable.class, work -> (Callable<String>) work::get);
        results.put(Stream.class, work -> Stream.generate(work).limit(1));
        results.put(
                IntStream.class,
                work -> IntStream.generate(() -> work.get().length()).limit(1));
        results.put(Iterator.class, work -> Stream.generate(work).limit(1).iterator());
        return results;
    }

    private static List<ReactiveAdapter> springsAdapters() {
        Object adapters = Objects.requireNonNull(
                ReflectionTestUtils.getField(ReactiveAdapterRegistry.getSharedInstance(), "adapters"));
        return ((List<?>) adapters).stream().map(ReactiveAdapter.class::cast).toList();
    }

    private static Map<Class<?>, Result> finishedResults() {
        Map<Class<?>, Result> results = new LinkedHashMap<>();
        results.put(String.class, Supplier::get);
        results.put(Serializable.class, Supplier::get);
        results.put(Object.class, Supplier::get);
        results.put(int.class, work -> work.get().length());
        results.put(Optional.class, work -> Optional.of(work.get()));
        results.put(List.class, work -> List.of(work.get()));
        results.put(void.class, work -> {
            assertThat(work.get()).isNotNull();
            return null;
        });
        return results;
    }

    /** Costs five seconds: some combinations, which the seed chooses. */
    @TestFactory
    Stream<DynamicTest> noResultOfASampleIsWorkedOnWithoutTheLock() {
        List<DynamicTest> cells = combinations();
        Collections.shuffle(cells, new Random(SEED));
        return cells.stream().limit(SAMPLE);
    }

    /** Costs half a minute. */
    @TestFactory
    @Tag("slow")
    @Tag("once")
    Stream<DynamicTest> noResultIsWorkedOnWithoutTheLock() {
        return combinations().stream();
    }

    private List<DynamicTest> combinations() {
        List<DynamicTest> cells = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            for (Form form : Form.values()) {
                finishedResults()
                        .forEach((type, result) ->
                                cells.add(cell(strategy, form, type, type, result, Set.of(Outcome.HELD))));
                lateResults().forEach((type, result) -> {
                    cells.add(cell(strategy, form, type, type, result, Set.of(Outcome.HELD, Outcome.START_REFUSED)));
                    cells.add(cell(
                            strategy, form, Object.class, type, result, Set.of(Outcome.HELD, Outcome.CALL_REFUSED)));
                });
            }
        }
        return cells;
    }

    private DynamicTest cell(
            Strategy strategy, Form form, Class<?> declared, Class<?> returned, Result result, Set<Outcome> allowed) {
        String name = strategy + ", " + form + ", declared " + declared.getSimpleName() + ", returned "
                + returned.getSimpleName();
        return dynamicTest(
                name,
                () -> assertThat(outcome(strategy, form, declared, result)).isIn(allowed));
    }

    /** Nothing is gained if everything is refused. */
    @Test
    void whatTellsItsEndIsHeld() {
        Map<Class<?>, Result> results = lateResults();
        List<Class<?>> refused = springsAdapters().stream()
                .<Class<?>>map(ReactiveAdapter::getReactiveType)
                .filter(type ->
                        outcome(Strategy.GET_LOCK, Form.ON_THE_METHOD, type, Objects.requireNonNull(results.get(type)))
                                != Outcome.HELD)
                .toList();
        assertThat(refused)
                .as("reactive types that Spring knows and locks are not held for")
                .isEmpty();
        assertThat(outcome(
                        Strategy.GET_LOCK,
                        Form.ON_THE_METHOD,
                        Object.class,
                        Objects.requireNonNull(results.get(Mono.class))))
                .as("a Mono that a method returns as an Object")
                .isEqualTo(Outcome.HELD);
    }

    /** Kotlin passes a continuation to such a function, and its work goes on after it has returned. */
    @Test
    void suspendFunctionIsRefused() {
        Class<?> type = new ByteBuddy()
                .subclass(Object.class)
                .name(getClass().getName() + "$Suspending")
                .defineMethod("run", Object.class, Visibility.PUBLIC)
                .withParameters(Continuation.class)
                .intercept(InvocationHandlerAdapter.of((proxy, method, args) -> "ran"))
                .annotateMethod(annotation(Form.ON_THE_METHOD, Strategy.GET_LOCK))
                .make()
                .load(getClass().getClassLoader(), BESIDE_THIS_CLASS)
                .getLoaded();
        assertThat(startOf(type)).isEmpty();
    }

    static class Nesting {

        private final Supplier<Single<String>> inner;

        Nesting(Supplier<Single<String>> inner) {
            this.inner = inner;
        }

        /** For its proxy. */
        Nesting() {
            this(() -> Single.just("inner"));
        }

        @DistributedLock(key = KEY)
        public Single<String> run() {
            return inner.get();
        }
    }

    /** RxJava does not pass Reactor's context on, by which subscriptions know in which lock they are. */
    @Test
    void nestedCallsOfOtherLibrariesShareTheLock() {
        AutowireCapableBeanFactory factory = application.context().getAutowireCapableBeanFactory();
        Nesting inner = (Nesting) factory.initializeBean(new Nesting(), "inner");
        Nesting outer = (Nesting) factory.initializeBean(new Nesting(inner::run), "outer");
        assertThat(outer.run().timeout(BOUND.toSeconds(), TimeUnit.SECONDS).blockingGet())
                .isEqualTo("inner");
        mustBeFree();
    }

    private Outcome outcome(Strategy strategy, Form form, Class<?> declared, Result result) {
        Set<Boolean> held = new LinkedHashSet<>();
        Supplier<String> work = () -> {
            held.add(isHeld());
            return "done";
        };
        Optional<Object> bean = startOf(generate(strategy, form, declared, () -> result.apply(work)));
        if (bean.isEmpty()) {
            return Outcome.START_REFUSED;
        }
        try {
            finish(call(bean.get()));
        } catch (IllegalStateException refusal) {
            assertThat(refusal).hasMessageContaining("without the lock");
            assertThat(held).as("work that ran before the call was refused").isSubsetOf(true);
            mustBeFree();
            return Outcome.CALL_REFUSED;
        }
        assertThat(held).as("whether the lock was held when the work ran").containsExactly(true);
        mustBeFree();
        return Outcome.HELD;
    }

    private boolean isHeld() {
        Optional<RemoteLock> lock = other.locker().tryGetLock(LOCK);
        lock.ifPresent(RemoteLock::close);
        return lock.isEmpty();
    }

    private void mustBeFree() {
        await().atMost(BOUND).until(() -> !isHeld());
    }

    private Optional<Object> startOf(Class<?> type) {
        try {
            return Optional.of(
                    application.context().getAutowireCapableBeanFactory().createBean(type));
        } catch (BeanCreationException | IllegalStateException e) {
            assertThat(e).hasStackTraceContaining("cannot hold its lock");
            return Optional.empty();
        }
    }

    private static @Nullable Object call(Object bean) {
        Method run = Arrays.stream(bean.getClass().getMethods())
                .filter(method -> method.getName().equals("run"))
                .findFirst()
                .orElseThrow();
        try {
            return run.invoke(bean);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** As callers do: waits for a stage, subscribes to what can be subscribed to. */
    private static void finish(@Nullable Object result) {
        if (result instanceof CompletionStage<?> stage) {
            stage.toCompletableFuture()
                    .orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } else if (result != null) {
            ReactiveAdapter adapter =
                    ReactiveAdapterRegistry.getSharedInstance().getAdapter(result.getClass());
            if (adapter != null) {
                Flux.from(adapter.toPublisher(result)).blockLast(BOUND);
            }
        }
    }

    private Class<?> generate(Strategy strategy, Form form, Class<?> declared, Supplier<@Nullable Object> body) {
        AnnotationDescription annotation = annotation(form, strategy);
        String name = getClass().getName() + "$Bean" + generated++;
        DynamicType.Builder<?> bean = new ByteBuddy().subclass(Object.class).name(name);
        if (form == Form.ON_THE_INTERFACE) {
            Class<?> declaring = new ByteBuddy()
                    .makeInterface()
                    .name(name + "Interface")
                    .defineMethod("run", declared, Visibility.PUBLIC)
                    .withoutCode()
                    .annotateMethod(annotation)
                    .make()
                    .load(getClass().getClassLoader(), BESIDE_THIS_CLASS)
                    .getLoaded();
            bean = bean.implement(declaring);
        } else if (form == Form.ON_THE_CLASS) {
            bean = bean.annotateType(annotation);
        }
        DynamicType.Builder.MethodDefinition<?> method = bean.defineMethod("run", declared, Visibility.PUBLIC)
                .intercept(InvocationHandlerAdapter.of((proxy, called, args) -> body.get()));
        boolean onTheMethod = form == Form.ON_THE_METHOD || form == Form.META_ANNOTATION;
        return (onTheMethod ? method.annotateMethod(annotation) : method)
                .make()
                .load(getClass().getClassLoader(), BESIDE_THIS_CLASS)
                .getLoaded();
    }

    private static AnnotationDescription annotation(Form form, Strategy strategy) {
        if (form == Form.META_ANNOTATION) {
            Class<? extends Annotation> meta = strategy == Strategy.GET_LOCK ? Waiting.class : Trying.class;
            return AnnotationDescription.Builder.ofType(meta).build();
        }
        return AnnotationDescription.Builder.ofType(DistributedLock.class)
                .define("key", KEY)
                .define("strategy", strategy)
                .define("whenBusy", strategy == Strategy.GET_LOCK ? WhenBusy.DEFAULT : WhenBusy.THROW)
                .build();
    }
}
