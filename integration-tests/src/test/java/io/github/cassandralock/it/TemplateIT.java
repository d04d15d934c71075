package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.actuate.CassandraLocksEndpoint;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.checkers.HoldCounter;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.SessionCallback;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;
import org.springframework.data.cassandra.core.cql.session.lookup.AbstractRoutingSessionFactory;

/** Locks on an application's own template, whatever that is set to, on a real node. */
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("slow")
class TemplateIT {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int THREADS = 8;
    private static final int LOCKS_OF_A_THREAD = 20;

    private final CassandraCluster cluster;
    private final String keyspace = "ks_" + UUID.randomUUID().toString().replace("-", "");

    TemplateIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    /** What the translator makes of every exception of the driver. */
    static final class Opaque extends DataAccessException {

        private static final long serialVersionUID = 1L;

        Opaque() {
            super("the database has failed");
        }
    }

    /** Nothing that this template is set to is good for locks, nor is the driver's profile. */
    @Configuration(proxyBeanMethods = false)
    static class CarelessTemplate {

        @Bean
        static LosingSession losingSession() {
            return new LosingSession();
        }

        @Bean
        CqlTemplate cqlTemplate(CqlSession session) {
            CqlTemplate template = new CqlTemplate(session);
            template.setConsistencyLevel(ConsistencyLevel.LOCAL_ONE);
            template.setSerialConsistencyLevel(ConsistencyLevel.LOCAL_SERIAL);
            template.setPageSize(1);
            template.setKeyspace(CqlIdentifier.fromInternal("elsewhere"));
            template.setExecutionProfile("careless");
            template.setExceptionTranslator(failure -> failure instanceof DriverException ? new Opaque() : null);
            return template;
        }
    }

    /** Counts what passes through it. */
    static final class CountingOperations extends CqlTemplate {

        final AtomicInteger statements = new AtomicInteger();

        CountingOperations(CqlSession session) {
            super(session);
        }

        @Override
        public <T> T execute(SessionCallback<T> callback) {
            statements.incrementAndGet();
            return super.execute(callback);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CountingTemplate {

        @Bean
        CountingOperations cqlTemplate(CqlSession session) {
            return new CountingOperations(session);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RoutingTemplate {

        @Bean
        CqlTemplate cqlTemplate(CqlSession session) {
            AbstractRoutingSessionFactory routing = new AbstractRoutingSessionFactory() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return "tenant";
                }
            };
            routing.setTargetSessionFactories(Map.of("tenant", new DefaultSessionFactory(session)));
            routing.afterPropertiesSet();
            return new CqlTemplate(routing);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoTemplates {

        @Bean
        CqlSession session(CqlSessionBuilder builder) {
            return builder.build();
        }

        @Bean
        CassandraTemplate ordersTemplate(CqlSession session) {
            return new CassandraTemplate(session);
        }

        @Bean
        CassandraTemplate lockTemplate(CqlSession session) {
            return new CassandraTemplate(session);
        }
    }

    private Instances start(int count, Class<?> configuration, String... arguments) {
        return Instances.start(count, cluster, keyspace, List.of(configuration), arguments);
    }

    private Instances careless(int count, String... arguments) {
        return start(
                count,
                CarelessTemplate.class,
                Stream.concat(Stream.of("--spring.cassandra.config=classpath:careless.conf"), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static LosingSession session(Application application) {
        return application.context().getBean(LosingSession.class);
    }

    private static void take(RemoteLocker locker, HoldCounter holds) {
        try (RemoteLock lock = locker.getLock("raced", BOUND)) {
            holds.enter();
            assertThat(lock.isHeld()).isTrue();
            holds.leave();
        }
    }

    @Test
    void carelessTemplateMakesNoLockCareless() throws Exception {
        HoldCounter holds = new HoldCounter();
        try (Instances instances = careless(2)) {
            ConcurrentTasks.runAll(IntStream.range(0, THREADS)
                    .mapToObj(thread -> (Callable<Integer>) () -> {
                        for (int i = 0; i < LOCKS_OF_A_THREAD; i++) {
                            take(instances.get(thread).locker(), holds);
                        }
                        return thread;
                    })
                    .toList());
            assertThat(holds.holds()).isEqualTo(THREADS * LOCKS_OF_A_THREAD);
            assertThat(holds.most()).as("threads under the lock").isEqualTo(1);
            assertThat(session(instances.get(0)).sent()).isNotEmpty().allSatisfy(statement -> {
                assertThat(statement.getConsistencyLevel()).isIn(ConsistencyLevel.QUORUM, ConsistencyLevel.SERIAL);
                assertThat(statement.getSerialConsistencyLevel()).isEqualTo(ConsistencyLevel.SERIAL);
                assertThat(statement.getPageSize()).isGreaterThan(1);
                assertThat(statement.getExecutionProfileName()).isNull();
                assertThat(statement.isIdempotent()).isNotNull();
            });
        }
    }

    @Test
    void tablesAndInspectionUseTheTemplatesOperationsAndLocksDoNot() {
        try (Instances instances = start(
                1,
                CountingTemplate.class,
                "--spring.jmx.enabled=true",
                "--management.endpoints.jmx.exposure.include=cassandralocks")) {
            Application application = instances.get(0);
            AtomicInteger statements = application.context().getBean(CountingOperations.class).statements;
            int atTheStart = statements.get();
            assertThat(atTheStart)
                    .as("statements that create and validate tables")
                    .isPositive();
            application.locker().getLock("k", BOUND).close();
            assertThat(statements).hasValue(atTheStart);
            application.context().getBean(CassandraLocksEndpoint.class).lock(null, "k");
            assertThat(statements).hasValueGreaterThan(atTheStart);
        }
    }

    /** The first answer is that to the transaction that opens the session; then come those of the lock. */
    @Test
    void writesWithUnknownOutcomeAreNoneThatHaveFailed() {
        try (Instances instances = careless(2)) {
            session(instances.get(0)).loseAnswers(5);
            try (RemoteLock lock = instances.get(0).locker().getLock("unknown", BOUND)) {
                assertThat(lock.isHeld()).isTrue();
                assertThat(session(instances.get(0)).answersLeftToLose()).isZero();
                assertThat(instances.get(1).locker().tryGetLock("unknown")).isEmpty();
            }
            instances.get(1).locker().getLock("unknown", BOUND).close();
        }
    }

    @Test
    void failureHasPassedTheTemplatesTranslator() {
        try (Instances instances = careless(1, "--cassandra-lock.lease=2s")) {
            RemoteLocker locker = instances.get(0).locker();
            locker.getLock("before").close();
            session(instances.get(0)).sendNothing();
            assertThatThrownBy(() -> locker.getLock("after"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("the database has failed")
                    .hasRootCauseInstanceOf(Opaque.class);
        }
    }

    /** The lease is long, so a repetition of what was refused would be noticed. */
    @Test
    void refusalIsRecognisedAlthoughTheTranslatorLosesIt() {
        try (Instances instances = careless(1, "--cassandra-lock.lease=1h")) {
            Application.execute(cluster, "DROP TABLE " + keyspace + ".lock_slots");
            assertThatThrownBy(() -> instances.get(0).locker().getLock("k", BOUND))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("Nothing is held", "lock_slots", "create-if-not-exists")
                    .hasRootCauseInstanceOf(Opaque.class)
                    .satisfies(failure ->
                            assertThat(RefusedRequestException.in(failure)).isPresent());
        }
    }

    @Test
    void routingTemplateIsRefused(CapturedOutput output) {
        assertThatThrownBy(() -> start(1, RoutingTemplate.class)).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "gives more than one session", "cassandra-lock.session-bean");
    }

    @Test
    void ofSeveralTemplatesTheNamedOneTakesTheLocks(CapturedOutput output) {
        assertThatThrownBy(() -> start(1, TwoTemplates.class)).isNotNull();
        assertThat(output).contains("APPLICATION FAILED TO START", "cassandra-lock.template-bean: ordersTemplate");
        try (Instances instances = start(1, TwoTemplates.class, "--cassandra-lock.template-bean=lockTemplate")) {
            instances.get(0).locker().getLock("k", BOUND).close();
            assertThat(instances.get(0).context().getBean(CassandraTemplate.class))
                    .isSameAs(instances.get(0).context().getBean("ordersTemplate"));
        }
    }
}
