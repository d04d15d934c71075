package io.github.cassandralock.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.internal.aop.AnnotationHints;
import io.github.cassandralock.internal.aop.LockKeyRoot;
import io.github.cassandralock.internal.connection.ConnectionRuntimeHints;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;

/** What a native image is told of what is reflected on. Catches a key or a property that works on a JVM only. */
class RuntimeHintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    @BeforeEach
    void register() {
        ClassLoader loader = getClass().getClassLoader();
        new AnnotationHints().registerHints(hints, loader);
        new LockPropertiesRuntimeHints().registerHints(hints, loader);
    }

    @ParameterizedTest
    @ValueSource(strings = {"getTarget", "getTargetClass", "getMethod", "getMethodName", "getArgs"})
    void keysMayReadTheRoot(String getter) throws NoSuchMethodException {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(LockKeyRoot.class.getMethod(getter))
                        .invoke())
                .accepts(hints);
    }

    @Test
    void periodsMayNameTimeZones() throws ReflectiveOperationException {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(ZoneId.class.getMethod("of", String.class))
                        .invoke())
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onField(ZoneOffset.class.getField("UTC")))
                .accepts(hints);
    }

    @Test
    void driftIsConvertedFromTextsAndNumbers() throws NoSuchMethodException {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(ClockDrift.class.getMethod("valueOf", String.class))
                        .invoke())
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(ClockDrift.class.getMethod("of", Double.class))
                        .invoke())
                .accepts(hints);
    }

    @Test
    void executorOfAScheduledTimerIsRead() {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onField(requireNonNull(ReflectionUtils.findField(
                                ConcurrentTaskScheduler.class, null, ScheduledExecutorService.class))))
                .accepts(hints);
    }

    @Test
    void composedAnnotationIsAProxyAndReactorIsFoundByItsName() {
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(DistributedLock.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Flux.class)).accepts(hints);
    }

    @Test
    void autoConfigurationNamesItsHints() {
        assertThat(CassandraLockAutoConfiguration.class
                        .getAnnotation(ImportRuntimeHints.class)
                        .value())
                .containsExactly(LockPropertiesRuntimeHints.class, ConnectionRuntimeHints.class);
    }
}
