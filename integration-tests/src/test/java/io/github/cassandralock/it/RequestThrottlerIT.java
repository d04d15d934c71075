package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.internal.core.session.throttling.ConcurrencyLimitingRequestThrottler;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/**
 * What becomes of locks whose renewals wait behind the application's own requests, in the queue of the driver's request throttler. Costs
 * a minute.
 */
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RequestThrottlerIT {

    private static final Logger log = LoggerFactory.getLogger(RequestThrottlerIT.class);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration BOUND = Duration.ofMinutes(1);
    private static final String WARNING = "The session of the locks has a request throttler";

    /** So many requests of the application wait at any time. */
    private static final int QUEUED = 100_000;

    private final CassandraCluster cluster;

    RequestThrottlerIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    private static CqlSession session(String contactPoint, String dataCentre, boolean throttled) {
        ProgrammaticDriverConfigLoaderBuilder options = DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, BOUND)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(10));
        if (throttled) {
            options.withClass(DefaultDriverOption.REQUEST_THROTTLER_CLASS, ConcurrencyLimitingRequestThrottler.class)
                    .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_CONCURRENT_REQUESTS, 4)
                    .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, 2 * QUEUED);
        }
        return CqlSession.builder()
                .addContactPoint(CassandraCluster.address(StringUtils.commaDelimitedListToStringArray(contactPoint)[0]))
                .withLocalDatacenter(dataCentre)
                .withKeyspace(Application.KEYSPACE)
                .withConfigLoader(options.build())
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    static class Throttled {

        @Bean
        CqlSession applicationSession(
                @Value("${spring.cassandra.contact-points}") String contactPoints,
                @Value("${spring.cassandra.local-datacenter}") String dataCentre) {
            return session(contactPoints, dataCentre, true);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ThrottledBesideAnotherOne extends Throttled {

        @Bean
        CqlSession lockSession(
                @Value("${spring.cassandra.contact-points}") String contactPoints,
                @Value("${spring.cassandra.local-datacenter}") String dataCentre) {
            return session(contactPoints, dataCentre, false);
        }
    }

    private Application application(Class<?> sessions, String... arguments) {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        List<String> all = cluster.arguments();
        all.add("--cassandra-lock.lease=" + LEASE.toSeconds() + "s");
        all.addAll(List.of(arguments));
        return Application.run(List.of(Application.Configuration.class, sessions), all);
    }

    /** Requests of the application, of which many wait at any time, until it is interrupted. */
    private static Thread load(CqlSession session) {
        Semaphore room = new Semaphore(QUEUED);
        Thread thread = new Thread(
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        room.acquireUninterruptibly();
                        session.executeAsync("SELECT now() FROM system.local")
                                .whenComplete((rows, failure) -> room.release());
                    }
                },
                "load");
        thread.start();
        await().atMost(BOUND).until(() -> room.availablePermits() == 0);
        return thread;
    }

    @Test
    void startWarnsOfAThrottlerOnTheSessionOfTheLocks(CapturedOutput output) {
        application(Throttled.class).close();
        assertThat(output).contains(WARNING);
    }

    @Test
    void sessionWithoutAThrottlerIsNotWarnedOf(CapturedOutput output) {
        application(ThrottledBesideAnotherOne.class, "--cassandra-lock.session-bean=lockSession")
                .close();
        assertThat(output).doesNotContain(WARNING);
    }

    /** This is the reason for the warning. */
    @Test
    @Tag("slow")
    void locksAreLostIfTheirRenewalsWaitInTheQueueOfTheThrottler() throws InterruptedException {
        try (Application application = application(Throttled.class)) {
            RemoteLock lock = application.locker().getLock("throttled:" + UUID.randomUUID());
            Thread load = load(application.session());
            long begin = System.nanoTime();
            await().atMost(BOUND).until(() -> !lock.isHeld());
            log.info("The lock was lost after {} ms of load", (System.nanoTime() - begin) / 1_000_000);
            load.interrupt();
            load.join();
        }
    }

    @Test
    @Tag("slow")
    void locksWithASessionOfTheirOwnAreRenewedWhateverWaitsInTheOtherOne() throws InterruptedException {
        try (Application application =
                application(ThrottledBesideAnotherOne.class, "--cassandra-lock.session-bean=lockSession")) {
            RemoteLock lock = application.locker().getLock("unthrottled:" + UUID.randomUUID());
            Thread load = load(application.context().getBean("applicationSession", CqlSession.class));
            await().during(LEASE.multipliedBy(4)).atMost(BOUND).until(lock::isHeld);
            load.interrupt();
            load.join();
            lock.close();
        }
    }
}
