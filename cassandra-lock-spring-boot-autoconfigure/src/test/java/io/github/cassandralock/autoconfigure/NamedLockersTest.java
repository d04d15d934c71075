package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.locker.LockInspections;
import io.github.cassandralock.autoconfigure.locker.LockerHook;
import io.github.cassandralock.autoconfigure.locker.NamedLocker;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.observation.MeteredCalls;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.integration.support.locks.LockRegistry;

/** Which beans each locker of {@code cassandra-lock.lockers} has, and what it inherits. Cassandra is a mock. */
class NamedLockersTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    CassandraLockSessionAutoConfiguration.class, CassandraLockAutoConfiguration.class))
            .withUserConfiguration(Cassandra.class)
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");

    private final ApplicationContextRunner withBilling =
            application.withPropertyValues("cassandra-lock.lockers.billing.keyspace=billing");

    @Configuration(proxyBeanMethods = false)
    static class Cassandra {

        @Bean
        CqlSession session() {
            return MockedCassandra.session();
        }
    }

    record Injected(
            RemoteLocker main,
            @Qualifier("billing") RemoteLocker billing,
            LockInspector inspector,
            @Qualifier("billing") LockInspector billingInspector,
            ReentrantLocks reentrant,
            @Qualifier("billing") ReentrantLocks billingReentrant,
            @Qualifier("billing") LockRegistry billingRegistry,
            @Qualifier("billing") LockProvider billingProvider) {}

    /** Is injected in the bean factory of a locker. */
    record Parts(
            ObjectProvider<NoticeTransport> transport,
            ObjectProvider<MeteredCalls> calls,
            ObjectProvider<RequestObserver> requests,
            ObjectProvider<LockerHook> hooks,
            ObjectProvider<LockInspections> inspections) {

        static Parts of(NamedLocker locker) {
            return ((AutowireCapableBeanFactory) locker.beans()).createBean(Parts.class);
        }
    }

    static class Bills {

        @DistributedLock(key = "'bills'", locker = "${locker.of.bills}")
        public void write() {}
    }

    private <T> T withoutVariables(Class<T> type) {
        List<T> found = new ArrayList<>();
        application.run(context -> found.add(context.getBean(type)));
        return found.get(0);
    }

    private static CassandraLockProperties properties(ApplicationContext context, String locker) {
        return named(context, locker).beans().getBean(CassandraLockProperties.class);
    }

    private static NamedLocker named(ApplicationContext context, String locker) {
        return context.getBean("cassandraLockLocker." + locker, NamedLocker.class);
    }

    @Test
    void eachLockerIsInjectedByItsNameAndTheMainOneWithoutAName() {
        withBilling
                .withBean(Injected.class)
                .withPropertyValues("cassandra-lock.lockers.billing.shedlock.enabled=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Injected injected = context.getBean(Injected.class);
                    assertThat(injected.main())
                            .isSameAs(context.getBean("remoteLocker"))
                            .isSameAs(context.getBean(RemoteLocker.class));
                    assertThat(injected.billing())
                            .isSameAs(context.getBean("billing"))
                            .isNotSameAs(injected.main());
                    assertThat(injected.inspector()).isNotSameAs(injected.billingInspector());
                    assertThat(injected.reentrant()).isNotSameAs(injected.billingReentrant());
                    assertThat(context.getBeansOfType(RemoteLocker.class)).containsOnlyKeys("remoteLocker", "billing");
                });
    }

    /** ShedLock counts these beans, and refuses a job that names none of two. */
    @Test
    void onlyLockerWithItsOwnSwitchIsASecondProviderOfShedLock() {
        withBilling
                .withPropertyValues("cassandra-lock.shedlock.enabled=true")
                .run(context -> assertThat(context).hasSingleBean(LockProvider.class));
        withBilling
                .withPropertyValues("cassandra-lock.lockers.billing.shedlock.enabled=true")
                .run(context -> assertThat(context.getBeanNamesForType(LockProvider.class))
                        .contains("billingLockProvider")
                        .hasSize(2));
    }

    @Test
    void lockerInheritsWhatItsNameDoesNotSet() {
        withBilling
                .withPropertyValues(
                        "cassandra-lock.lease=20s",
                        "cassandra-lock.prefix=shop",
                        "cassandra-lock.notices.port=4711",
                        "cassandra-lock.notices.advertised-address=host:4711",
                        "cassandra-lock.lockers.reports.lease=30s",
                        "cassandra-lock.lockers.reports.prefix=reports")
                .run(context -> {
                    CassandraLockProperties billing = properties(context, "billing");
                    assertThat(billing.lease()).isEqualTo(Duration.ofSeconds(20));
                    assertThat(billing.keyspace()).isEqualTo("billing");
                    assertThat(billing.prefix()).isEqualTo("shop");
                    assertThat(billing.notices().port()).isZero();
                    assertThat(billing.notices().advertisedAddress()).isNull();
                    assertThat(properties(context, "reports").lease()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(properties(context, "reports").keyspace()).isEqualTo("locks");
                });
    }

    @Test
    void sessionOfALockerIsItsOwnOrThatOfTheApplication() {
        withBilling
                .withBean("second", CqlSession.class, MockedCassandra::session)
                .withPropertyValues(
                        "cassandra-lock.session-bean=session", "cassandra-lock.lockers.reports.session-bean=second")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(session(context, "billing")).isSameAs(context.getBean("session"));
                    assertThat(session(context, "reports")).isSameAs(context.getBean("second"));
                });
    }

    private static CqlSession session(ApplicationContext context, String locker) {
        return named(context, locker).beans().getBean(CassandraPorts.class).session();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "billing"})
    void variablesOfAServiceCalledLikeTheLocksConfigureNothing(String name) {
        ApplicationContextRunner runner = name.isEmpty() ? application : withBilling;
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(
                                        "CASSANDRA_LOCK_SERVICE_HOST", "10.0.0.11",
                                        "CASSANDRA_LOCK_SERVICE_PORT", "9042",
                                        "CASSANDRA_LOCK_SERVICE_PORT_CQL", "9042",
                                        "CASSANDRA_LOCK_PORT", "tcp://10.0.0.11:9042",
                                        "CASSANDRA_LOCK_PORT_9042_TCP", "tcp://10.0.0.11:9042",
                                        "CASSANDRA_LOCK_PORT_9042_TCP_PROTO", "tcp",
                                        "CASSANDRA_LOCK_PORT_9042_TCP_PORT", "9042",
                                        "CASSANDRA_LOCK_PORT_9042_TCP_ADDR", "10.0.0.11"))))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeansOfType(NamedLocker.class)).hasSize(name.isEmpty() ? 0 : 1);
                    assertThat(context.getBean(CassandraLockProperties.class))
                            .isEqualTo(withoutVariables(CassandraLockProperties.class));
                });
    }

    @Test
    void variableOfAServiceCalledLikeAPropertyStopsTheStart() {
        application
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("CASSANDRA_LOCK_NOTICES_PORT", "tcp://10.0.0.11:17400"))))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("tcp://10.0.0.11:17400"));
    }

    @Test
    void variablesOfTheEnvironmentConfigureALocker() {
        application
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(
                                        "CASSANDRALOCK_LOCKERS_BILLING_KEYSPACE", "billing",
                                        "CASSANDRALOCK_LOCKERS_BILLING_LOCALHANDOVER_MAXDURATION", "7ms",
                                        "CASSANDRALOCK_CLOCKDRIFT", "7%"))))
                .run(context -> {
                    assertThat(properties(context, "billing").localHandover().maxDuration())
                            .isEqualTo(Duration.ofMillis(7));
                    assertThat(properties(context, "billing").clockDrift())
                            .isEqualTo(context.getBean(CassandraLockProperties.class)
                                    .clockDrift());
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cassandra-lock.lockers.1st.keyspace=other       | begins with a letter
            cassandra-lock.lockers.main.keyspace=other      | is the name of the locker of 'cassandra-lock.*'
            cassandra-lock.lockers.session.keyspace=other   | another bean of this name
            cassandra-lock.lockers.remoteLocker.keyspace=other | another bean of this name
            cassandra-lock.lockers.billing.lease=30s        | 'main' and 'billing' have the same session, keyspace and prefix
            cassandra-lock.lockers.billing.keyspace=LOCKS   | 'main' and 'billing' have the same session, keyspace and prefix
            cassandra-lock.lockers.billing.username=billing | the locker has no contact points of its own
            cassandra-lock.lockers.billing.local-datacenter=dc2 | 'cassandra-lock.lockers.billing.local-datacenter' is set
            cassandra-lock.lockers.billing.keyspace=a b     | 'cassandra-lock.lockers.billing.keyspace'
            cassandra-lock.lockers.billing.keyspace=locks   | 'main' and 'billing' have the same session, keyspace and prefix
            """)
    void lockerThatCannotBeUsedIsRefusedByName(String property, String problem) {
        application
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(problem));
    }

    @Test
    void lockerOfAChildContextWithTheLocksOfTheParentIsRefused() {
        application.run(parent -> application
                .withParent(parent)
                .withPropertyValues("cassandra-lock.lockers.billing.keyspace=locks")
                .run(child -> assertThat(child)
                        .getFailure()
                        .hasStackTraceContaining("have the same session, keyspace and prefix")));
    }

    @Test
    void beanWithTheNameOfAPartOfALockerIsRefused() {
        withBilling
                .withBean("billingReentrantLocks", String.class, () -> "")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(
                                "The locker 'cassandra-lock.lockers.billing' has a bean 'billingReentrantLocks'"));
    }

    @Test
    void invalidValueIsNamedAsItIsWritten() {
        withBilling
                .withPropertyValues("cassandra-lock.lockers.billing.lease=1s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("The locker 'billing' cannot be used.")
                        .hasStackTraceContaining("'cassandra-lock.lockers.billing.lease' is '1 s'"));
    }

    @Test
    void failureAtTheFirstUseOfALockerIsExplained() {
        withBilling
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues(
                        "cassandra-lock.lockers.billing.force-release.enabled=true",
                        "cassandra-lock.lockers.billing.algorithm=shadow")
                .run(context -> assertThatThrownBy(() -> context.getBean("billingReentrantLocks"))
                        .hasStackTraceContaining("The locker 'billing' cannot be used.")
                        .hasStackTraceContaining("'cassandra-lock.lockers.billing.force-release.enabled'"));
    }

    @Test
    void annotationWithAnUnknownLockerStopsTheApplication() {
        withBilling
                .withBean(Bills.class)
                .withPropertyValues("locker.of.bills=bills")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("locker = \"bills\"")
                        .hasStackTraceContaining("there are 'remoteLocker', 'billing'"));
        withBilling
                .withBean(Bills.class)
                .withPropertyValues("locker.of.bills=billing")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void lockerThatIsSwitchedOffIsNoBean() {
        withBilling
                .withPropertyValues("cassandra-lock.lockers.billing.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RemoteLocker.class));
        withBilling
                .withPropertyValues("cassandra-lock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RemoteLocker.class));
    }

    @Test
    void sliceWithoutCassandraHasNoLockers() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
                .withPropertyValues("cassandra-lock.lockers.billing.keyspace=billing")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RemoteLocker.class));
    }

    @Test
    void lockerOfTheApplicationWithTheNameTakesItsPlace() {
        RemoteLocker own = mock(RemoteLocker.class);
        withBilling.withBean("billing", RemoteLocker.class, () -> own).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean("billing")).isSameAs(own);
            assertThat(context.getBean(RemoteLocker.class))
                    .isSameAs(context.getBean("remoteLocker"))
                    .isInstanceOf(AlgorithmLocker.class);
            assertThat(context).hasBean("billingReentrantLocks").hasBean("billingLockInspector");
        });
    }

    /** The application's own locker does not have the session and the keyspace of {@code cassandra-lock.*}. */
    @Test
    void lockerBesideALockerOfTheApplicationMayHaveTheKeyspaceOfMain() {
        ApplicationContextRunner withOwn = application
                .withBean("remoteLocker", RemoteLocker.class, () -> mock(RemoteLocker.class))
                .withPropertyValues("cassandra-lock.lockers.billing.lease=30s");
        withOwn.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean("billing")).isInstanceOf(AlgorithmLocker.class);
        });
        withOwn.withPropertyValues("cassandra-lock.lockers.archive.lease=30s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("have the same session, keyspace and prefix"));
    }

    @Test
    void childContextUsesTheLockersOfItsParent() {
        withBilling.run(parent -> application
                .withParent(parent)
                .withPropertyValues("cassandra-lock.lockers.billing.keyspace=billing")
                .run(child -> {
                    assertThat(child).hasNotFailed();
                    assertThat(child.getBean("billing")).isSameAs(parent.getBean("billing"));
                    assertThat(child.containsLocalBean("billing")).isFalse();
                    assertThat(child.containsLocalBean("billingReentrantLocks")).isFalse();
                }));
    }

    @Test
    void lockerOfTheApplicationIsClosedByTheApplicationOnly() {
        AlgorithmLocker own = mock(AlgorithmLocker.class);
        withBilling
                .withBean("billing", RemoteLocker.class, () -> own, bean -> bean.setDestroyMethodName(""))
                .run(context -> {
                    assertThat(context.getBean("billingReentrantLocks")).isNotNull();
                    context.close();
                    verify(own, never()).close();
                });
    }

    @Test
    void lockerUsesNoPartsOfTheMainLocker() {
        withBilling
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(NoticeTransport.class, () -> mock(NoticeTransport.class))
                .withPropertyValues(
                        "cassandra-lock.notices.enabled=true",
                        "cassandra-lock.lockers.billing.notices.enabled=false",
                        "cassandra-lock.lockers.billing.metrics.enabled=false")
                .run(context -> {
                    Parts parts = Parts.of(named(context, "billing"));
                    assertThat(parts.transport().stream()).isEmpty();
                    assertThat(parts.calls().stream()).isEmpty();
                    assertThat(parts.requests().stream()).isEmpty();
                    assertThat(parts.hooks().stream()).hasSize(1);
                    assertThat(parts.inspections().stream()).hasSize(1);
                    assertThat(context).hasSingleBean(MeteredCalls.class).hasSingleBean(NoticeTransport.class);
                });
    }

    @Test
    void lockerThatIsReplacedIsNotShownAsTheMainLocker() {
        withBilling
                .withBean("billing", RemoteLocker.class, () -> mock(AlgorithmLocker.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(named(context, "billing").own(LockInspections.class))
                            .isEmpty();
                    assertThat(Parts.of(named(context, "billing")).inspections().stream())
                            .isEmpty();
                });
    }

    @Test
    void lockersAreClosedWithTheApplication() {
        RemoteLocker[] billing = new RemoteLocker[1];
        withBilling.run(context -> {
            billing[0] = context.getBean("billing", RemoteLocker.class);
            context.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> billing[0].getLock("a"))
                    .withMessageContaining("closed");
        });
    }

    @Test
    void lockerIsClosedBeforeTheSessionEvenBesideALockerOfTheApplication() {
        withBilling
                .withBean("own", RemoteLocker.class, () -> mock(RemoteLocker.class))
                .run(context -> assertThat(context.getBeanFactory().getDependentBeans("session"))
                        .contains("cassandraLockLocker.billing"));
    }

    @Test
    void threadsOfALockerHaveItsName() {
        withBilling.run(context -> {
            context.getBean("billing", RemoteLocker.class).tryGetLockAsync("a");
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .anyMatch(name -> name.startsWith("cassandra-lock-billing-"));
        });
    }

    @Test
    void threadThatStartsALockerInTheBackgroundHasItsName() {
        withBilling
                .withPropertyValues(
                        "cassandra-lock.lockers.billing.startup=lazy",
                        "cassandra-lock.lockers.billing.session-bean=notThere")
                .run(context -> await().untilAsserted(
                                () -> assertThat(Thread.getAllStackTraces().keySet())
                                        .extracting(Thread::getName)
                                        .contains("cassandra-lock-billing-start")));
    }

    @Test
    void metersHaveTheNameOfTheLockerIfThereAreSeveral() {
        ApplicationContextRunner measured = application.withBean(MeterRegistry.class, SimpleMeterRegistry::new);
        measured.run(context -> assertThat(held(context))
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.getId().getTags()).isEmpty()));
        measured.withPropertyValues("cassandra-lock.lockers.billing.keyspace=billing")
                .run(context -> assertThat(held(context))
                        .extracting(gauge -> gauge.getId().getTag("locker"))
                        .containsExactlyInAnyOrder("main", "billing"));
    }

    private static Iterable<Gauge> held(ApplicationContext context) {
        return context.getBean(MeterRegistry.class).find("cassandra.lock.held").gauges();
    }
}
