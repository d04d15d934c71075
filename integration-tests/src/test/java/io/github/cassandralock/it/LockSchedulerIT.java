package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.scheduling.LockTaskScheduler;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;

/** On which threads leases are renewed, and on which the application's own methods run. */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LockSchedulerIT {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final String NAME = "cassandraLockTaskScheduler";

    private final CassandraCluster cluster;
    private final String lockId = "scheduler:" + UUID.randomUUID();

    LockSchedulerIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    static class Methods {

        private final CompletableFuture<String> scheduled = new CompletableFuture<>();

        @Scheduled(fixedDelay = 5)
        void run() {
            scheduled.complete(Thread.currentThread().getName());
        }

        @Async
        public CompletableFuture<String> async() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        public CompletableFuture<String> scheduled() {
            return scheduled;
        }
    }

    @EnableScheduling
    @EnableAsync
    @Configuration(proxyBeanMethods = false)
    static class WithMethods {

        @Bean
        Methods methods() {
            return new Methods();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithScheduler {

        @Bean
        Renewals renewals() {
            return new Renewals(new ScheduledThreadPoolExecutor(2));
        }

        @Bean(defaultCandidate = false)
        TaskScheduler cassandraLockTaskScheduler(Renewals renewals) {
            return new ConcurrentTaskScheduler(renewals.threads());
        }
    }

    /** Hides an executor from Spring. */
    record Renewals(ScheduledThreadPoolExecutor threads) {}

    private Application start(Class<?>... more) {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.add("--cassandra-lock.lease=" + LEASE);
        List<Class<?>> configurations = new ArrayList<>(List.of(more));
        configurations.add(Application.Configuration.class);
        return Application.run(configurations, arguments);
    }

    private static void assertThatMethodsRunOnSpringBootsOwnThreads(Application application) {
        Methods methods = application.context().getBean(Methods.class);
        assertThat(methods.scheduled()).succeedsWithin(BOUND).asString().startsWith("scheduling-");
        assertThat(methods.async()).succeedsWithin(BOUND).asString().startsWith("task-");
    }

    @Test
    void locksHaveASchedulerOfTheirOwnBesideThatOfSpringBoot() {
        try (Application application = start(WithMethods.class)) {
            TaskScheduler scheduler =
                    application.context().getBean(NAME, LockTaskScheduler.class).scheduler();
            assertThat(application.context().getBean(TaskScheduler.class)).isNotSameAs(scheduler);
            CompletableFuture<String> thread = new CompletableFuture<>();
            scheduler.schedule(() -> thread.complete(Thread.currentThread().getName()), Instant.now());
            assertThat(thread).succeedsWithin(BOUND).asString().startsWith("cassandra-lock-");
            assertThatMethodsRunOnSpringBootsOwnThreads(application);
        }
    }

    /** Costs four leases. Fails where renewals run elsewhere: then the lock outlives the threads of the scheduler. */
    @Test
    void leaseIsRenewedOnTheApplicationsSchedulerWhileTheContextIsStopped() {
        try (Application other = start();
                Application application = start(WithMethods.class, WithScheduler.class)) {
            assertThatMethodsRunOnSpringBootsOwnThreads(application);
            RemoteLock lock = application.locker().getLock(lockId);
            application.context().stop();
            assertThatThrownBy(() -> other.locker().getLock(lockId, LEASE.multipliedBy(2)))
                    .as("another instance's attempt while the context is stopped")
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(lock.isHeld()).isTrue();
            application.context().start();
            lock.ensureHeld();
            application.context().getBean(Renewals.class).threads().shutdownNow();
            await().atMost(BOUND).until(() -> !lock.isHeld());
            other.locker().getLock(lockId, BOUND).close();
        }
    }
}
