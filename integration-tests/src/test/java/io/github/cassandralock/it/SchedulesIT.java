package io.github.cassandralock.it;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Scheduled jobs with a minimum time, on several instances. Costs 20 s, and two minutes in the slow profile; it fails if a job runs
 * twice for one time of its schedule, or not at all, or if a lock is free before its time because its instance has ended.
 */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SchedulesIT {

    /** How much earlier than its second a scheduler may start a job. */
    private static final Duration EARLY = Duration.ofMillis(50);

    private final CassandraCluster cluster;

    SchedulesIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    /** Much quicker than two schedulers differ. */
    static class Job {

        private final Collection<Instant> runs = new ConcurrentLinkedQueue<>();

        @Scheduled(cron = "* * * * * *")
        @DistributedLock(key = "'schedules:every-second'", strategy = TRY_GET_LOCK, holdAtLeast = "500ms")
        public void run() {
            runs.add(Instant.now());
        }

        public List<Instant> runs() {
            return List.copyOf(runs);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {

        @Bean
        Job job() {
            return new Job();
        }
    }

    /** How often the job ran for each second, on all instances together. */
    private Map<Long, Long> runsOfEachSecond(Duration howLong) {
        try (Instances instances =
                Instances.start(2, cluster, "schedules", List.of(Scheduling.class), "--cassandra-lock.lease=5s")) {
            long first = Instant.now().getEpochSecond() + 2;
            long afterLast = first + howLong.toSeconds();
            await().atMost(howLong.plusSeconds(30))
                    .until(() -> Instant.now().minus(Duration.ofMillis(500)).getEpochSecond() >= afterLast);
            Map<Long, Long> runs = instances.all().stream()
                    .flatMap(instance -> instance.context().getBean(Job.class).runs().stream())
                    .map(run -> run.plus(EARLY).getEpochSecond())
                    .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
            return LongStream.range(first, afterLast)
                    .boxed()
                    .collect(Collectors.toMap(Function.identity(), second -> runs.getOrDefault(second, 0L)));
        }
    }

    @Test
    void jobOfTwoInstancesRunsOnceForEverySecond() {
        assertThat(runsOfEachSecond(Duration.ofSeconds(10)))
                .hasSize(10)
                .allSatisfy((second, runs) ->
                        assertThat(runs).as("runs for second %d", second).isEqualTo(1));
    }

    @Test
    @Tag("nightly")
    @Tag("slow")
    void jobOfTwoInstancesRunsOnceForEverySecondOfAMinute() {
        assertThat(runsOfEachSecond(Duration.ofSeconds(60)))
                .hasSize(60)
                .allSatisfy((second, runs) ->
                        assertThat(runs).as("runs for second %d", second).isEqualTo(1));
    }

    /** An instance takes the lock for a minimum time, and ends at once. Another one gets it within a minute. Returns after which time. */
    private Duration freeAfterTheEndOfItsInstance(Duration atLeast, String... arguments) {
        String lockId = "schedules:" + UUID.randomUUID();
        try (Application other = Application.start(cluster, arguments)) {
            long grantedAfter;
            try (Application ending = Application.start(cluster, arguments)) {
                grantedAfter = System.nanoTime();
                ending.locker()
                        .getLock(LockRequest.of(lockId).holdAtLeast(atLeast))
                        .close();
            }
            assertThat(other.locker().tryGetLock(lockId))
                    .as("at once after the end")
                    .isEmpty();
            try (RemoteLock lock = other.locker().getLock(lockId, Duration.ofMinutes(1))) {
                assertThat(lock.isHeld()).isTrue();
                return Duration.ofNanos(System.nanoTime() - grantedAfter);
            }
        }
    }

    @Test
    @Tag("slow")
    void lockStaysTakenForMuchLongerThanTheLeaseAfterItsInstanceHasEnded() {
        assertThat(freeAfterTheEndOfItsInstance(Duration.ofSeconds(14), "--cassandra-lock.lease=2s"))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(14));
    }

    @Test
    @Tag("slow")
    @Tag("once")
    void lockOfTheQueueStaysTakenAfterItsInstanceHasEnded() {
        assertThat(freeAfterTheEndOfItsInstance(
                        Duration.ofSeconds(14), "--cassandra-lock.lease=2s", "--cassandra-lock.algorithm=queue"))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(14));
    }
}
