package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.locker.NamedLocker;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/**
 * Applications with three lockers on a real node: that of {@code cassandra-lock.*}, one with a keyspace of its own, and one with a
 * session of its own. Costs some ten seconds. Would catch lockers that share locks, and one that is not closed or shown.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LockersIT {

    private static final Duration BOUND = Duration.ofMinutes(1);

    private final CassandraCluster cluster;
    private final Application one;
    private final Application two;

    LockersIT(CassandraCluster cluster) {
        this.cluster = cluster;
        one = start(WebApplicationType.SERVLET);
        two = start(WebApplicationType.NONE);
    }

    private Application start(WebApplicationType type) {
        List.of("lockers_main", "lockers_billing", "lockers_archive")
                .forEach(keyspace -> Application.createKeyspace(cluster, keyspace, 1));
        return Application.startWeb(
                type,
                cluster,
                List.of(Shop.class),
                "--management.endpoints.web.exposure.include=cassandralocks",
                "--cassandra-lock.keyspace=lockers_main",
                "--cassandra-lock.notices.enabled=true",
                "--cassandra-lock.notices.bind-address=127.0.0.1",
                "--cassandra-lock.lockers.billing.keyspace=lockers_billing",
                "--cassandra-lock.lockers.billing.lease=4s",
                "--cassandra-lock.lockers.archive.keyspace=lockers_archive",
                "--cassandra-lock.lockers.archive.contact-points=" + cluster.contactPoints(),
                "--cassandra-lock.lockers.archive.local-datacenter=" + cluster.localDatacenter());
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        Invoices invoices(@Qualifier("billing") RemoteLocker billing, @Qualifier("billing") LockInspector inspector) {
            return new Invoices(billing, inspector);
        }
    }

    static class Invoices {

        final RemoteLocker billing;
        final LockInspector inspector;

        Invoices(RemoteLocker billing, LockInspector inspector) {
            this.billing = billing;
            this.inspector = inspector;
        }

        @DistributedLock(key = "#id")
        public <T> T inMain(String id, Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "#id", locker = "billing")
        public <T> T inBilling(String id, Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "{#id, #id + '/2'}", locker = "billing")
        public Mono<Boolean> severalInBilling(String id, Supplier<Boolean> work) {
            return Mono.fromSupplier(work);
        }

        @DistributedLock(key = "#id", onceFor = "T(java.time.LocalDate).of(2026, 1, 1)", locker = "billing")
        public void onceInBilling(String id, Runnable work) {
            work.run();
        }
    }

    @AfterAll
    void stop() {
        two.close();
        one.close();
    }

    private static RemoteLocker locker(Application application, String name) {
        return application.context().getBean(name, RemoteLocker.class);
    }

    private static boolean isFree(Application application, String locker, String lockId) {
        return locker(application, locker)
                .tryGetLock(lockId)
                .map(LockersIT::closed)
                .orElse(false);
    }

    private static boolean closed(RemoteLock lock) {
        lock.close();
        return true;
    }

    private Invoices invoices() {
        return one.context().getBean(Invoices.class);
    }

    @Test
    void lockOfOneLockerExcludesOtherInstancesAndNoOtherLocker() {
        for (String name : List.of("remoteLocker", "billing", "archive")) {
            try (RemoteLock lock = locker(one, name).getLock(name, BOUND)) {
                assertThat(List.of("remoteLocker", "billing", "archive"))
                        .allSatisfy(
                                other -> assertThat(isFree(two, other, name)).isEqualTo(!other.equals(name)));
                lock.ensureHeld();
            }
        }
    }

    @Test
    void threadOfNoticesHasTheNameOfItsLocker() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .contains("cassandra-lock-notices", "cassandra-lock-billing-notices", "cassandra-lock-archive-notices");
    }

    @Test
    void tablesOfEachLockerAreInItsKeyspace() {
        assertThat(List.of("lockers_main", "lockers_billing", "lockers_archive"))
                .allSatisfy(keyspace -> assertThat(one.session()
                                .execute(
                                        "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?", keyspace)
                                .all())
                        .isNotEmpty());
    }

    @Test
    void annotationTakesTheLockByTheLockerThatItNames() {
        CurrentLock current = one.context().getBean(CurrentLock.class);
        List<Boolean> free = invoices()
                .inMain(
                        "7",
                        () -> invoices().inBilling("7", () -> {
                            current.get().ensureHeld();
                            assertThat(locker(one, "billing").tryGetLock(LockRequest.of("7")))
                                    .isEmpty();
                            return List.of(
                                    isFree(two, "remoteLocker", "7"),
                                    isFree(two, "billing", "7"),
                                    isFree(two, "archive", "7"));
                        }));
        assertThat(free).containsExactly(false, false, true);
    }

    @Test
    void publisherAndPeriodTakeTheLockByTheLockerThatTheyName() {
        assertThat(invoices()
                        .severalInBilling(
                                "8", () -> !isFree(two, "billing", "8/2") && isFree(two, "remoteLocker", "8/2"))
                        .block(BOUND))
                .isTrue();
        int[] runs = new int[1];
        invoices().onceInBilling("9", () -> runs[0]++);
        two.context().getBean(Invoices.class).onceInBilling("9", () -> runs[0]++);
        assertThat(runs[0]).isEqualTo(1);
    }

    @Test
    void endpointShowsTheLocksOfTheLockerThatIsNamed() throws IOException, InterruptedException {
        LocksEndpoint endpoint = new LocksEndpoint(one);
        try (RemoteLock lock = locker(one, "billing").getLock("shown", BOUND)) {
            assertThat(LocksEndpoint.json(endpoint.get("?locker=billing", "application/json"))
                            .path("held")
                            .findValuesAsText("lockId"))
                    .contains("shown");
            JsonNode main = LocksEndpoint.json(endpoint.get("", "application/json"));
            assertThat(main.path("held").findValuesAsText("lockId")).doesNotContain("shown");
            assertThat(main.path("locker").asText()).isEqualTo("main");
            assertThat(main.path("lockers").toString()).isEqualTo("[\"main\",\"archive\",\"billing\"]");
            assertThat(LocksEndpoint.json(endpoint.get("/shown?locker=billing", "application/json"))
                            .path("holders"))
                    .hasSize(1);
            assertThat(one.context()
                            .getBean("billingLockInspector", LockInspector.class)
                            .inspect("shown")
                            .holders())
                    .hasSize(1);
            lock.ensureHeld();
        }
        assertThat(endpoint.get("?locker=bills", "application/json").statusCode())
                .isEqualTo(400);
    }

    @Test
    void healthAndMetersShowEachLocker() {
        LockHealth health = LockHealth.of(one);
        assertThat(health.status()).isEqualTo("UP");
        assertThat(health.details()).contains("billing={", "archive={", "status=UP");
        assertThat(one.context()
                        .getBean(MeterRegistry.class)
                        .find("cassandra.lock.held")
                        .gauges())
                .extracting(gauge -> gauge.getId().getTag("locker"))
                .containsExactlyInAnyOrder("main", "billing", "archive");
        assertThat(one.context()
                        .getBean(MeterRegistry.class)
                        .find("cassandra.lock.wait")
                        .timers())
                .extracting(timer -> timer.getId().getTag("locker"))
                .contains("main", "billing", "archive");
    }

    @Test
    void lockersReleaseTheirLocksAndCloseTheirSessionsWithTheApplication() {
        Application third = start(WebApplicationType.NONE);
        CqlSession own = third.context()
                .getBean("cassandraLockLocker.archive", NamedLocker.class)
                .beans()
                .getBean(CqlSession.class);
        locker(third, "archive").getLock("left", BOUND);
        locker(third, "billing").getLock("left", BOUND);
        third.close();
        assertThat(own.isClosed()).isTrue();
        assertThat(isFree(two, "archive", "left")).isTrue();
        assertThat(isFree(two, "billing", "left")).isTrue();
    }
}
