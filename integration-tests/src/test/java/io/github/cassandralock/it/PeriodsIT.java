package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that runs once for each period, on instances of their own whose clocks differ, and of which one is killed in the middle of each
 * tenth period. Costs a minute, and five minutes in the slow profile. It fails if a period is completed twice, or by nobody.
 */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class PeriodsIT {

    private final CassandraCluster cluster;
    private final String run = UUID.randomUUID().toString();

    private int killed;

    @TempDir
    Path directory;

    PeriodsIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    private JvmProcess instance(Duration ahead) throws IOException {
        List<String> arguments = new ArrayList<>(cluster.arguments());
        arguments.addAll(List.of(
                "--spring.cassandra.keyspace-name=" + Application.KEYSPACE,
                "--cassandra-lock.lease=2s",
                "--period-worker.run=" + run,
                "--period-worker.ahead=" + ahead,
                "--period-worker.book=" + directory.resolve("book")));
        return JvmProcess.start(PeriodWorker.class, arguments, directory.resolve("ahead-" + ahead.toMillis() + ".log"));
    }

    /** Returns the completed periods in their order, when there are so many. Kills an instance in each tenth one. */
    private List<Long> completed(int periods) throws Exception {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        PeriodWorker.Book book = new PeriodWorker.Book(directory.resolve("book"));
        Map<Duration, JvmProcess> instances = new HashMap<>();
        try {
            for (int seconds = 0; seconds < 3; seconds++) {
                Duration ahead = Duration.ofSeconds(seconds);
                instances.put(ahead, instance(ahead));
            }
            await().atMost(Duration.ofSeconds(60 + 2L * periods * PeriodWorker.PERIOD_SECONDS))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> {
                        replaceTheFatal(book, instances);
                        return completedIn(book).size() >= periods;
                    });
            return completedIn(book);
        } finally {
            for (JvmProcess each : instances.values()) {
                each.close();
            }
        }
    }

    private static List<Long> completedIn(PeriodWorker.Book book) {
        return book.lines().stream()
                .filter(line -> line.startsWith(PeriodWorker.COMPLETED))
                .map(line -> Long.valueOf(line.substring(PeriodWorker.COMPLETED.length())))
                .toList();
    }

    /** Kills the instance that waits for it in the middle of its work, and starts another one with the same clock. */
    private void replaceTheFatal(PeriodWorker.Book book, Map<Duration, JvmProcess> instances) throws Exception {
        List<String> lines = book.lines();
        for (Map.Entry<Duration, JvmProcess> instance : instances.entrySet()) {
            if (lines.contains(
                    PeriodWorker.FATAL + instance.getValue().process().pid())) {
                instance.getValue().kill();
                instance.setValue(instance(instance.getKey()));
                killed++;
            }
        }
    }

    private void assertEachIsCompletedOnce(int periods) throws Exception {
        List<Long> completed = completed(periods);
        long first = completed.get(0);
        assertThat(completed)
                .as("the completed periods, in their order")
                .containsExactlyElementsOf(LongStream.range(first, first + completed.size())
                        .boxed()
                        .toList());
        assertThat(killed).as("instances that were killed in the middle").isGreaterThanOrEqualTo(periods / 10);
    }

    @Test
    @Tag("slow")
    void eachPeriodIsCompletedOnceAlthoughAnInstanceIsKilled() throws Exception {
        assertEachIsCompletedOnce(11);
    }

    @Test
    @Tag("nightly")
    @Tag("slow")
    @Tag("once")
    void sixtyPeriodsAreCompletedOnceAlthoughAnInstanceIsKilledInEachTenth() throws Exception {
        assertEachIsCompletedOnce(60);
    }

    @Test
    void lastCompletedPeriodIsNoValueOfTheApplication() {
        try (Application one = Application.start(cluster);
                Application other = Application.start(cluster)) {
            String lockId = "periods:" + run;
            LocalDate today = LocalDate.of(2026, 9, 30);
            assertThat(one.locker().executeOnceFor(lockId, today, () -> {})).isTrue();
            assertThat(other.locker().executeOnceFor(lockId, today, () -> {})).isFalse();
            assertThat(other.locker().executeOnceFor(lockId, today.plusDays(1), () -> {}))
                    .isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(() -> one.locker().executeOnceFor(lockId, 7, () -> {}))
                    .withMessageContainingAll(lockId, "LocalDate", "integer");
            try (RemoteLock lock = one.locker().getLock(lockId)) {
                assertThatIllegalStateException()
                        .isThrownBy(lock::readValue)
                        .withMessageContaining("last completed period");
                assertThatIllegalStateException()
                        .isThrownBy(() -> lock.writeValue(new byte[] {1}))
                        .withMessageContaining("last completed period");
            }
            assertThat(one.locker().executeOnceFor(lockId, today.plusDays(1), () -> {}))
                    .as("the refused calls have changed nothing")
                    .isFalse();
        }
    }
}
