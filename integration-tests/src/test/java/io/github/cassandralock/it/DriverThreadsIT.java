package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.driver.DriverThreads;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/** Code of an application that runs where the driver delivers the answers of Cassandra. */
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DriverThreadsIT {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final CassandraCluster cluster;
    private Application application;

    static class Report {

        @DistributedLock(key = "'report'")
        public String write() {
            return "written";
        }

        @DistributedLock(key = "'report'")
        public CompletableFuture<String> writeLater() {
            return CompletableFuture.completedFuture("written");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Report report() {
            return new Report();
        }
    }

    DriverThreadsIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void start() {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.add("--cassandra-lock.lease=" + LEASE.toSeconds() + "s");
        application = Application.run(List.of(Application.Configuration.class, Beans.class), arguments);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private static String lockId() {
        return "driver:" + UUID.randomUUID();
    }

    /** Runs the code after a request, on the thread that delivers the answer. */
    private static void onDriverThread(CqlSession session, Runnable code) {
        Thread caller = Thread.currentThread();
        boolean delivered;
        do {
            delivered = session.executeAsync("SELECT now() FROM system.local")
                    .thenApply(answer -> {
                        boolean elsewhere = Thread.currentThread() != caller;
                        if (elsewhere) {
                            code.run();
                        }
                        return elsewhere;
                    })
                    .toCompletableFuture()
                    .orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } while (!delivered);
    }

    private static Throwable refusal(CqlSession session, Runnable code) {
        try {
            onDriverThread(session, code);
            return new AssertionError("not refused");
        } catch (CompletionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    @Test
    void callThatWouldWaitForItsOwnThreadIsRefusedAtOnce() {
        assertThat(refusal(application.session(), () -> application.locker().getLock(lockId())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("which must not wait: it is a thread of the Cassandra driver")
                .hasMessageContaining("Call getLockAsync, or go on on a thread of your own");
    }

    @Test
    void threadsOfSessionsThatAreNoBeansMustNotWaitEither() {
        try (CqlSession own = CqlSession.builder()
                .addContactPoint(CassandraCluster.address(
                        StringUtils.commaDelimitedListToStringArray(cluster.contactPoints())[0]))
                .withLocalDatacenter(cluster.localDatacenter())
                .build()) {
            assertThat(refusal(own, () -> application.locker().tryGetLock(lockId())))
                    .hasMessageContaining("it is a thread of the Cassandra driver");
        }
    }

    /** A session closes when none of its threads has had a task for the quiet period, or else at the time-out. */
    @Test
    void sessionWhoseThreadsAreWatchedClosesAfterItsQuietPeriod() {
        DriverConfigLoader quiet = DriverConfigLoader.programmaticBuilder()
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 2)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_TIMEOUT, 60)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 2)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_TIMEOUT, 60)
                .build();
        try (ScheduledTimers timers = new ScheduledTimers()) {
            CqlSession session = CqlSession.builder()
                    .withConfigLoader(quiet)
                    .addContactPoint(CassandraCluster.address(
                            StringUtils.commaDelimitedListToStringArray(cluster.contactPoints())[0]))
                    .withLocalDatacenter(cluster.localDatacenter())
                    .build();
            new DriverThreads(timers, Duration.ofSeconds(2)).watch(session);
            assertThat(session.closeAsync()).succeedsWithin(BOUND);
        }
    }

    @Test
    void annotatedMethodsAreRefusedAndLeaveTheLockFree() {
        Report report = application.context().getBean(Report.class);
        assertThat(refusal(application.session(), report::write)).hasMessageContaining("which must not wait");
        assertThat(refusal(application.session(), report::writeLater)).hasMessageContaining("which must not wait");
        assertThat(report.write()).isEqualTo("written");
    }

    @Test
    void asynchronousCallsWorkThere() {
        CompletableFuture<RemoteLock> granted = new CompletableFuture<>();
        onDriverThread(
                application.session(),
                () -> application.locker().getLockAsync(lockId()).thenAccept(granted::complete));
        assertThat(granted).succeedsWithin(BOUND).matches(RemoteLock::isHeld);
        granted.join().close();
    }

    @Test
    void lockThatIsClosedThereIsReleasedWithoutWaiting(CapturedOutput output) {
        String lockId = lockId();
        RemoteLock lock = application.locker().getLock(lockId);
        onDriverThread(application.session(), lock::close);
        assertThat(lock.isHeld()).isFalse();
        application.locker().getLock(lockId, BOUND).close();
        assertThat(output).contains("call closeAsync() instead. This is logged once");
    }

    @Test
    void codeThatBlocksSuchAThreadIsShownInTheLog(CapturedOutput output) {
        CountDownLatch told = new CountDownLatch(1);
        CompletableFuture<Void> blocking =
                CompletableFuture.runAsync(() -> onDriverThread(application.session(), () -> awaits(told)));
        try {
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(output)
                            .contains("of the Cassandra driver has been blocked for at least 500 ms")
                            .contains(DriverThreadsIT.class.getName() + ".awaits("));
        } finally {
            told.countDown();
        }
        assertThat(blocking).succeedsWithin(BOUND);
    }

    private static void awaits(CountDownLatch told) {
        try {
            assertThat(told.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
