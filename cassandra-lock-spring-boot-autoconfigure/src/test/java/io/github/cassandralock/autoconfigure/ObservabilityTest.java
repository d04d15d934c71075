package io.github.cassandralock.autoconfigure;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.RETURNS_SELF;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.aop.WorkTracing;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.observation.LockObservations;
import io.github.cassandralock.internal.observation.MeteredCalls;
import io.github.cassandralock.internal.observation.RequestMeters;
import io.github.cassandralock.observation.DefaultLockHoldObservationConvention;
import io.github.cassandralock.observation.DefaultLockWaitObservationConvention;
import io.github.cassandralock.observation.LockHoldContext;
import io.github.cassandralock.observation.LockHoldObservationConvention;
import io.github.cassandralock.observation.LockNames;
import io.github.cassandralock.observation.LockObservation;
import io.github.cassandralock.observation.LockWaitContext;
import io.github.cassandralock.observation.LockWaitObservationConvention;
import io.github.cassandralock.spi.LockAlgorithm;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/**
 * Meters and observations of an application with a locker whose algorithm is scripted; without I/O, in seconds. The tests would
 * fail if a call were timed twice or not at all, if a trace did not show the work below the hold, or if Micrometer were needed.
 */
class ObservabilityTest {

    private final ApplicationContextRunner locks = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
            .withUserConfiguration(WithScriptedLocks.class)
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");
    private final ApplicationContextRunner application = locks.withBean(Work.class, Work::new);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TestObservationRegistry observations = TestObservationRegistry.create();

    @Configuration(proxyBeanMethods = false)
    static class WithScriptedLocks {

        @Bean
        CqlSession session() {
            return mock(CqlSession.class);
        }

        @Bean
        LockAlgorithm algorithm() {
            return new GrantingAlgorithm();
        }
    }

    /** Public, and without Micrometer: its proxy is of a class loader that does not have it. */
    public static class PlainWork {

        @DistributedLock(key = "'a'")
        public String run() {
            return "done";
        }
    }

    /** Notes which observation is the present one during its work. */
    static class Work {

        private final List<@Nullable Observation> present = new ArrayList<>();
        private ObservationRegistry registry = ObservationRegistry.NOOP;

        public Work in(ObservationRegistry observing) {
            registry = observing;
            return this;
        }

        private void note() {
            present.add(registry.getCurrentObservation());
        }

        public int calls() {
            return present.size();
        }

        public @Nullable String presentName(int call) {
            Observation observation = present.get(call);
            return observation == null
                    ? null
                    : String.valueOf(observation.getContext().getName());
        }

        @DistributedLock(key = "'account:' + #id")
        public void run(int id) {
            note();
        }

        @DistributedLock(key = "'account:' + #id", strategy = Strategy.TRY_GET_LOCK)
        public CompletableFuture<String> stage(int id, CompletionStage<String> end) {
            note();
            return end.toCompletableFuture();
        }

        @DistributedLock(key = "'account:' + #id")
        public Mono<String> mono(int id) {
            note();
            return Mono.deferContextual(
                    context -> Mono.just(String.valueOf(((Observation) context.get("micrometer.observation"))
                            .getContext()
                            .getName())));
        }
    }

    private ApplicationContextRunner withMeters() {
        return application.withBean(MeterRegistry.class, () -> meters);
    }

    private ApplicationContextRunner withObservations() {
        return application.withBean(ObservationRegistry.class, () -> observations);
    }

    private long timed(String name, String... tags) {
        return meters.find(name).tags(tags).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    private List<String> ourMeters() {
        return meters.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .filter(name -> name.startsWith("cassandra.lock"))
                .distinct()
                .toList();
    }

    @Test
    void everyOutcomeOfACallIsTimed() {
        withMeters().run(context -> {
            RemoteLocker locker = context.getBean(RemoteLocker.class);
            try (RemoteLock held = locker.getLock("a")) {
                locker.tryGetLock("a");
                assertThatThrownBy(() ->
                                locker.getLockAsync("a", Duration.ofMillis(5)).join())
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(LockTimeoutException.class);
                assertThat(meters.get("cassandra.lock.held").gauge().value()).isOne();
                assertThat(meters.get("cassandra.lock.waiting").gauge().value()).isZero();
            }
            assertThat(timed(
                            "cassandra.lock.wait",
                            "outcome",
                            "acquired",
                            "strategy",
                            "get_lock",
                            "mode",
                            "exclusive",
                            "error",
                            "none"))
                    .isOne();
            assertThat(timed("cassandra.lock.wait", "outcome", "refused", "strategy", "try_get_lock"))
                    .isOne();
            assertThat(timed("cassandra.lock.wait", "outcome", "timed_out", "error", "none"))
                    .isOne();
            assertThat(timed("cassandra.lock.wait")).isEqualTo(3);
            assertThat(timed("cassandra.lock.hold", "outcome", "released")).isOne();
            assertThat(meters.get("cassandra.lock.held").gauge().value()).isZero();
        });
    }

    @Test
    void whatTheAlgorithmsCountIsThereFromTheStart() {
        withMeters()
                .run(context -> assertThat(ourMeters())
                        .contains(
                                "cassandra.lock.waiting",
                                "cassandra.lock.held",
                                "cassandra.lock.lost",
                                "cassandra.lock.renewals",
                                "cassandra.lock.sessions.lost",
                                "cassandra.lock.sessions.declared.dead",
                                "cassandra.lock.evictions",
                                "cassandra.lock.local.handovers",
                                "cassandra.lock.deadlock.victims",
                                "cassandra.lock.notices.sent",
                                "cassandra.lock.notices.received",
                                "cassandra.lock.notices.refused",
                                "cassandra.lock.notices.dropped"));
    }

    @Test
    void lostLockIsCountedAndItsHoldEndsAsLost() {
        withMeters().run(context -> {
            AlgorithmLocker locker = context.getBean(AlgorithmLocker.class);
            RemoteLock lock = locker.getLock("a");
            locker.restored();
            assertThat(meters.get("cassandra.lock.lost")
                            .tag("loss", "restored")
                            .functionCounter()
                            .count())
                    .as("before the holder closes it")
                    .isOne();
            lock.close();
            assertThat(timed(
                            "cassandra.lock.hold", "outcome", "lost", "loss", "restored", "error", "LockLostException"))
                    .isOne();
        });
        assertThat(meters.get("cassandra.lock.lost")
                        .tag("loss", "closed")
                        .functionCounter()
                        .count())
                .isZero();
    }

    @Test
    void noMeterHasALockIdAndNoneHasATagForLocksByItself() {
        withMeters().run(context -> {
            context.getBean(Work.class).run(42);
            assertThat(meters.getMeters())
                    .flatExtracting(meter -> meter.getId().getTags())
                    .noneMatch(
                            tag -> tag.getValue().contains("42") || tag.getKey().startsWith("lock"));
        });
    }

    @Test
    void locksHaveTheNamesThatTheApplicationGivesThem() {
        withMeters()
                .withBean(LockNames.class, () -> id -> id.startsWith("account:") ? "account" : null)
                .run(context -> {
                    context.getBean(Work.class).run(1);
                    context.getBean(Work.class).run(2);
                    context.getBean(RemoteLocker.class).getLock("other").close();
                    assertThat(timed("cassandra.lock.wait", "lock", "account")).isEqualTo(2);
                    assertThat(timed("cassandra.lock.hold", "lock", "account")).isEqualTo(2);
                    assertThat(timed("cassandra.lock.hold", "lock", "none")).isOne();
                });
    }

    @Test
    void nameThatFailsHarmsNoLock() {
        withMeters()
                .withBean(LockNames.class, () -> id -> {
                    throw new IllegalStateException("names of bad quality");
                })
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    work.run(1);
                    work.run(1);
                    assertThat(work.calls()).isEqualTo(2);
                    assertThat(timed("cassandra.lock.wait")).isZero();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0", "FALSE"})
    void metersCanBeSwitchedOff(String off) {
        withMeters().withPropertyValues("cassandra-lock.metrics.enabled=" + off).run(context -> {
            context.getBean(Work.class).run(1);
            assertThat(ourMeters()).isEmpty();
            assertThat(context).doesNotHaveBean(MeteredCalls.class).doesNotHaveBean(RequestMeters.class);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void metersCanBeSwitchedOffAlthoughObservationsAreTimed(String off) {
        application
                .withPropertyValues("cassandra-lock.metrics.enabled=" + off)
                .run(context -> assertThat(context).hasSingleBean(MeterFilter.class));
        application.run(context -> assertThat(context).doesNotHaveBean(MeterFilter.class));
    }

    /** An application class that needs the locker, and whose registry is one of its beans. */
    @Configuration(proxyBeanMethods = false)
    static class NeedsTheLocker {

        NeedsTheLocker(RemoteLocker locker) {
            assertThat(locker).isNotNull();
        }

        @Bean
        SimpleMeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observations() {
            return TestObservationRegistry.create();
        }

        @Bean
        LockNames names() {
            return lockId -> "name";
        }
    }

    @Test
    void registriesMayBeBeansOfAClassThatNeedsTheLocker() {
        application.withUserConfiguration(NeedsTheLocker.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(RemoteLocker.class).getLock("k").close();
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("cassandra.lock.hold").timer().count()).isEqualTo(1);
            assertThat(registry.get("cassandra.lock.held").gauge().value()).isZero();
        });
    }

    @Test
    void severalRegistriesOfWhichNoneIsChosenGetNoMeters() {
        withMeters()
                .withBean("another", MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    context.getBean(Work.class).run(1);
                    assertThat(context).hasNotFailed().doesNotHaveBean(MeteredCalls.class);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.micrometer.core", "io.micrometer"})
    void locksWorkWithoutMicrometer(String missing) {
        locks.withBean(PlainWork.class, PlainWork::new)
                .withClassLoader(new FilteredClassLoader(missing))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(RemoteLocker.class);
                    assertThat(context.getBean(PlainWork.class).run()).isEqualTo("done");
                });
    }

    @Test
    void applicationsOwnLockerIsLeftAlone() {
        withMeters()
                .withBean("ownLocker", RemoteLocker.class, () -> mock(RemoteLocker.class, RETURNS_DEEP_STUBS))
                .run(context -> {
                    context.getBean(RemoteLocker.class).getLock("a");
                    assertThat(ourMeters()).isEmpty();
                });
    }

    @Test
    void annotatedCallIsAWaitAndAHoldAndItsWorkBelongsToTheHold() {
        withObservations().run(context -> {
            Work work = context.getBean(Work.class);
            work.in(observations);
            Observation caller = Observation.start("caller", observations);
            caller.scoped(() -> work.run(42));
            assertThat(observations.getCurrentObservation()).isNull();
            caller.stop();
            assertThat(observations)
                    .hasObservationWithNameEqualTo("cassandra.lock.wait")
                    .that()
                    .hasContextualNameEqualTo("lock wait")
                    .hasLowCardinalityKeyValue("outcome", "acquired")
                    .hasLowCardinalityKeyValue("strategy", "get_lock")
                    .hasLowCardinalityKeyValue("mode", "exclusive")
                    .hasHighCardinalityKeyValue("lock.id", "account:42")
                    .hasParentObservationEqualTo(caller)
                    .hasBeenStarted()
                    .hasBeenStopped();
            assertThat(observations)
                    .hasObservationWithNameEqualTo("cassandra.lock.hold")
                    .that()
                    .hasContextualNameEqualTo("lock hold")
                    .hasLowCardinalityKeyValue("outcome", "released")
                    .hasHighCardinalityKeyValue("lock.id", "account:42")
                    .hasParentObservationEqualTo(caller)
                    .doesNotHaveError()
                    .hasBeenStopped();
            assertThat(work.presentName(0)).isEqualTo("cassandra.lock.hold");
        });
    }

    @Test
    void programmaticCallLeavesThePresentObservationAlone() {
        withObservations().run(context -> {
            Observation caller = Observation.start("caller", observations);
            caller.scoped(() -> {
                try (RemoteLock lock = context.getBean(RemoteLocker.class).getLock("a")) {
                    assertThat(observations.getCurrentObservation()).isSameAs(caller);
                }
            });
            caller.stop();
            assertThat(observations)
                    .hasObservationWithNameEqualTo("cassandra.lock.hold")
                    .that()
                    .hasParentObservationEqualTo(caller)
                    .hasBeenStopped();
        });
    }

    @Test
    void holdOfAStageLastsUntilTheStageCompletes() {
        withObservations().run(context -> {
            Work work = context.getBean(Work.class);
            work.in(observations);
            CompletableFuture<String> end = new CompletableFuture<>();
            CompletableFuture<String> result = work.stage(1, end);
            assertThat(work.presentName(0)).isEqualTo("cassandra.lock.hold");
            assertThat(observations.getCurrentObservation()).isNull();
            assertThat(observations)
                    .hasObservationWithNameEqualTo("cassandra.lock.hold")
                    .that()
                    .isNotStopped();
            end.complete("done");
            result.join();
            assertThat(observations)
                    .hasObservationWithNameEqualTo("cassandra.lock.hold")
                    .that()
                    .hasBeenStopped();
        });
    }

    @Test
    void reactiveCallTakesItsParentFromReactorsContextAndPutsTheHoldThere() {
        withObservations().run(context -> {
            Work work = context.getBean(Work.class);
            work.in(observations);
            Observation caller = Observation.start("caller", observations);
            String present = work.mono(1)
                    .contextWrite(outer -> outer.put("micrometer.observation", caller))
                    .block(Duration.ofSeconds(10));
            caller.stop();
            assertThat(present).isEqualTo("cassandra.lock.hold");
            assertThat(work.presentName(0)).isEqualTo("cassandra.lock.hold");
            assertThat(observations)
                    .hasObservationWithNameEqualTo("cassandra.lock.wait")
                    .that()
                    .hasParentObservationEqualTo(caller)
                    .hasBeenStopped();
            assertThat(observations)
                    .hasObservationWithNameEqualTo("cassandra.lock.hold")
                    .that()
                    .hasParentObservationEqualTo(caller)
                    .hasBeenStopped();
        });
    }

    /** The second lock is requested on a thread of the locker. */
    @Test
    void everyLockOfAnAsynchronousGroupHasTheCallersObservationAsItsParent() {
        withObservations().run(context -> {
            RemoteLocker locker = context.getBean(RemoteLocker.class);
            Observation caller = Observation.start("caller", observations);
            CompletableFuture<RemoteLocks> group;
            try (Observation.Scope scope = caller.openScope()) {
                group = locker.getLocksAsync(List.of("first", "second"));
            }
            group.get(10, TimeUnit.SECONDS).close();
            caller.stop();
            assertThat(observations)
                    .hasAnObservationWithAKeyValue("lock.id", "second")
                    .forAllObservationsWithNameEqualTo(
                            "cassandra.lock.wait", wait -> wait.hasParentObservationEqualTo(caller));
        });
    }

    @Test
    void waitThatTimesOutIsNoErrorAndHasNoHold() {
        withObservations().run(context -> {
            RemoteLocker locker = context.getBean(RemoteLocker.class);
            try (RemoteLock held = locker.getLock("a")) {
                observations.clear();
                assertThatThrownBy(() ->
                                locker.getLockAsync("a", Duration.ofMillis(5)).join())
                        .hasCauseInstanceOf(LockTimeoutException.class);
            }
            assertThat(observations)
                    .hasNumberOfObservationsEqualTo(1)
                    .hasObservationWithNameEqualTo("cassandra.lock.wait")
                    .that()
                    .hasLowCardinalityKeyValue("outcome", "timed_out")
                    .doesNotHaveError()
                    .hasBeenStopped();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0", "FALSE"})
    void observationsCanBeSwitchedOffAndCallsAreTimedNevertheless(String off) {
        withObservations()
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues("cassandra-lock.observations.enabled=" + off)
                .run(context -> {
                    context.getBean(Work.class).run(1);
                    assertThat(observations).doesNotHaveAnyObservation();
                    assertThat(timed("cassandra.lock.wait")).isOne();
                    assertThat(timed("cassandra.lock.hold")).isOne();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "yes", "1", "TRUE"})
    void metersAndObservationsAreOnInEverySpelling(String on) {
        withObservations()
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues("cassandra-lock.metrics.enabled=" + on, "cassandra-lock.observations.enabled=" + on)
                .run(context -> {
                    context.getBean(Work.class).run(1);
                    assertThat(observations).hasObservationWithNameEqualTo("cassandra.lock.hold");
                    assertThat(ourMeters()).contains("cassandra.lock.held");
                });
    }

    @Test
    void nothingIsCreatedForCallsThatNobodyFollows() {
        application.run(context -> assertThat(
                        context.getBean(LockObservations.class).requested(LockRequest.of("a"), "thread", true))
                .isSameAs(CallObserver.Call.UNOBSERVED));
    }

    /** A lock of a mock has no thread id. */
    @Test
    void workUnderALockOfATestsOwnIsNotTraced() {
        withObservations().run(context -> {
            WorkTracing tracing = context.getBean(WorkTracing.class);
            assertThat(tracing.hold(mock(RemoteLock.class))).isNull();
        });
    }

    @Test
    void documentationNamesTheKeyValuesOfTheDefaultConventions() {
        LockWaitContext wait = new LockWaitContext("account:42", Strategy.GET_LOCK, LockMode.PROTECTED_READ, "account");
        DefaultLockWaitObservationConvention waiting = new DefaultLockWaitObservationConvention();
        LockHoldContext hold = new LockHoldContext("account:42", LockMode.PROTECTED_READ, "account");
        DefaultLockHoldObservationConvention holding = new DefaultLockHoldObservationConvention();
        assertThat(keys(waiting.getLowCardinalityKeyValues(wait)))
                .isEqualTo(keys(LockObservation.WAIT.getLowCardinalityKeyNames()));
        assertThat(keys(waiting.getHighCardinalityKeyValues(wait)))
                .isEqualTo(keys(LockObservation.WAIT.getHighCardinalityKeyNames()));
        assertThat(keys(holding.getLowCardinalityKeyValues(hold)))
                .isEqualTo(keys(LockObservation.HOLD.getLowCardinalityKeyNames()));
        assertThat(waiting.getLowCardinalityKeyValues(wait)).contains(KeyValue.of("mode", "protected_read"));
        assertThat(holding.getLowCardinalityKeyValues(hold)).contains(KeyValue.of("mode", "protected_read"));
        assertThat(keys(holding.getHighCardinalityKeyValues(hold)))
                .isEqualTo(keys(LockObservation.HOLD.getHighCardinalityKeyNames()));
    }

    private static Set<String> keys(KeyValues values) {
        return values.stream().map(KeyValue::getKey).collect(Collectors.toSet());
    }

    private static Set<String> keys(KeyName[] names) {
        return Stream.of(names).map(KeyName::asString).collect(Collectors.toSet());
    }

    @Test
    void conventionsAreReplacedByBeansAndCountForTimersToo() {
        LockWaitObservationConvention wait = new DefaultLockWaitObservationConvention() {
            @Override
            public String getName() {
                return "own.wait";
            }

            @Override
            public KeyValues getLowCardinalityKeyValues(LockWaitContext context) {
                return super.getLowCardinalityKeyValues(context).and(KeyValue.of("team", "blue"));
            }
        };
        LockHoldObservationConvention hold = new DefaultLockHoldObservationConvention() {
            @Override
            public String getName() {
                return "own.hold";
            }
        };
        withObservations()
                .withBean(MeterRegistry.class, () -> meters)
                .withBean(LockWaitObservationConvention.class, () -> wait)
                .withBean(LockHoldObservationConvention.class, () -> hold)
                .run(context -> {
                    context.getBean(Work.class).run(1);
                    assertThat(observations)
                            .hasObservationWithNameEqualTo("own.wait")
                            .that()
                            .hasLowCardinalityKeyValue("team", "blue");
                    assertThat(observations).hasObservationWithNameEqualTo("own.hold");
                    assertThat(timed("own.wait", "team", "blue")).isOne();
                    assertThat(timed("own.hold")).isOne();
                });
    }

    /** The handler that Spring Boot registers makes timers of observations. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callIsTimedOnceWhetherOrNotObservationsAreTimed(boolean enabled) {
        ObservationRegistry timedRegistry = ObservationRegistry.create();
        timedRegistry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        timedRegistry.observationConfig().observationPredicate((name, context) -> enabled);
        withMeters().withBean(ObservationRegistry.class, () -> timedRegistry).run(context -> {
            context.getBean(Work.class).run(1);
            assertThat(timed("cassandra.lock.wait", "outcome", "acquired", "error", "none"))
                    .isOne();
            assertThat(timed("cassandra.lock.hold", "outcome", "released", "error", "none"))
                    .isOne();
            assertThat(tagKeys("cassandra.lock.wait"))
                    .containsExactlyInAnyOrder("error", "mode", "outcome", "strategy");
        });
    }

    private List<String> tagKeys(String name) {
        return meters.get(name).meters().stream()
                .map(Meter::getId)
                .flatMap(id -> id.getTags().stream())
                .map(tag -> tag.getKey())
                .distinct()
                .toList();
    }

    /** Such a handler harms neither the call nor the lock. One that fails at a stop leaves no hold whose scope could be opened. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void handlerThatThrowsHarmsNoLock(boolean atScopes) {
        ObservationRegistry failing = ObservationRegistry.create();
        failing.observationConfig().observationHandler(new FailingHandler(atScopes));
        application.withBean(ObservationRegistry.class, () -> failing).run(context -> {
            Work work = context.getBean(Work.class);
            work.run(1);
            work.run(1);
            assertThat(work.calls())
                    .as("calls that took the lock and gave it back")
                    .isEqualTo(2);
            assertThat(failing.getCurrentObservation())
                    .as("what is present after the calls")
                    .isNull();
        });
    }

    /** @param atScopes whether it fails when a scope is opened, and not when an observation is stopped */
    private record FailingHandler(boolean atScopes) implements ObservationHandler<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            failIf(atScopes);
        }

        @Override
        public void onStop(Observation.Context context) {
            failIf(!atScopes);
        }

        private static void failIf(boolean wanted) {
            if (wanted) {
                throw new IllegalStateException("a handler of bad quality");
            }
        }
    }

    @Test
    void requestsToTheTablesAreTimedByTableAndKind() {
        PreparedStatement prepared = mock(PreparedStatement.class);
        BoundStatement bound = mock(BoundStatement.class, RETURNS_SELF);
        when(prepared.bind(any(Object[].class))).thenReturn(bound);
        when(bound.getPreparedStatement()).thenReturn(prepared);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
                .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks")
                .withBean(MeterRegistry.class, () -> meters)
                .withBean(CqlSession.class, () -> {
                    CqlSession session = mock(CqlSession.class, RETURNS_DEEP_STUBS);
                    when(session.prepareAsync(any(SimpleStatement.class)))
                            .thenReturn(CompletableFuture.completedFuture(prepared));
                    when(session.executeAsync(any(Statement.class)))
                            .thenReturn(CompletableFuture.failedFuture(new DriverTimeoutException("no node")));
                    return session;
                })
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(RemoteLocker.class).tryGetLock("a"))
                            .hasMessageContaining("no node");
                    assertThat(timed(
                                    "cassandra.lock.operations",
                                    "table",
                                    "lock_sessions",
                                    "operation",
                                    "read",
                                    "outcome",
                                    "failed"))
                            .as("reads of the birth row before a session; meters are not there at the start")
                            .isOne();
                    assertThat(timed("cassandra.lock.wait", "outcome", "failed", "error", "LockStoreException"))
                            .isOne();
                });
    }
}
