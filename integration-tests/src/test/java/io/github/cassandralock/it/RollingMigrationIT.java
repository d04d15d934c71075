package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The guide's roll-out, with real processes under load: three instances are restarted one after the other, from step to
 * step, and one of them is killed while it holds the lock. Not one update may be lost.
 */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RollingMigrationIT {

    private static final Logger log = LoggerFactory.getLogger(RollingMigrationIT.class);
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final int INSTANCES = 3;
    private static final int UPDATES = 10;

    private final CassandraCluster cluster;
    private final String lockId = "rolling:" + UUID.randomUUID();
    private final List<Path> files = new ArrayList<>();
    private final List<Instance> instances = new ArrayList<>();

    @TempDir
    private Path directory;

    /** A worker and what it records. */
    private record Instance(JvmProcess worker, Path records, Path log) {

        long lines() {
            try {
                return Files.exists(records) ? Files.readAllLines(records).size() : 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean isUnderTheLock() throws IOException {
            List<String> lines = Files.readAllLines(records);
            return !lines.isEmpty() && lines.get(lines.size() - 1).contains(" enter ");
        }
    }

    RollingMigrationIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void killWhatIsLeft() throws InterruptedException {
        for (Instance instance : instances) {
            instance.worker().kill();
        }
    }

    /** Costs five minutes. */
    @ParameterizedTest(name = "from {0} to {1}, in the steps {2}, {3}, {4}")
    @Tag("slow")
    @CsvSource({
        "shadow, ticket, shadow, migration, ticket",
        "queue,  ticket, queue,  migration, ticket",
        "shadow, ticket, ticket, migration, shadow"
    })
    void noUpdateIsLostAndNoTwoHoldersOverlap(String from, String to, String before, String meanwhile, String after)
            throws Exception {
        begin(INSTANCES, from, to, before);
        awaitUpdatesOfAll();
        rollOut(from, to, meanwhile);
        killOneThatHoldsTheLock(from, to, meanwhile);
        rollOut(from, to, after);
        end();
        assertThat(countedStays().cutShort())
                .as("stays that were cut short by the kill")
                .isOne();
    }

    /** Costs half a minute: one step, in which an instance with the old algorithm and one that migrates meet. */
    @Test
    void noUpdateIsLostWhileOneInstanceMigratesAndAnotherOneDoesNotYet() throws Exception {
        begin(2, "queue", "ticket", "queue");
        awaitUpdatesOfAll();
        replace(0, "queue", "ticket", "migration");
        awaitUpdatesOfAll();
        end();
        assertThat(countedStays().cutShort()).isZero();
    }

    private void begin(int count, String from, String to, String algorithm) throws IOException {
        Application.createKeyspace(cluster, CounterWorker.KEYSPACE, 1);
        Application.execute(cluster, CounterWorker.TABLE);
        for (int number = 0; number < count; number++) {
            instances.add(start(from, to, algorithm));
        }
    }

    private void end() throws Exception {
        for (Instance instance : instances) {
            instance.worker().stop();
        }
    }

    private Instance start(String from, String to, String algorithm) throws IOException {
        Path records = directory.resolve("records-" + files.size());
        Path output = directory.resolve("log-" + files.size());
        files.add(records);
        List<String> arguments = new ArrayList<>(List.of(lockId, records.toString()));
        arguments.addAll(cluster.arguments());
        arguments.add("--spring.cassandra.keyspace-name=" + CounterWorker.KEYSPACE);
        arguments.add("--cassandra-lock.lease=4s");
        arguments.add("--cassandra-lock.algorithm=" + algorithm);
        arguments.add("--cassandra-lock.migration.from=" + from);
        arguments.add("--cassandra-lock.migration.to=" + to);
        return new Instance(JvmProcess.start(CounterWorker.class, arguments, output), records, output);
    }

    private void rollOut(String from, String to, String algorithm) throws Exception {
        for (int number = 0; number < INSTANCES; number++) {
            replace(number, from, to, algorithm);
        }
        awaitUpdatesOfAll();
    }

    private void replace(int number, String from, String to, String algorithm) throws Exception {
        instances.get(number).worker().stop();
        instances.set(number, start(from, to, algorithm));
        awaitUpdates(instances.get(number));
    }

    private void awaitUpdatesOfAll() {
        instances.forEach(RollingMigrationIT::awaitUpdates);
    }

    /** Two lines an update. */
    private static void awaitUpdates(Instance instance) {
        long enough = instance.lines() + 2 * UPDATES;
        await("updates of an instance; its log is " + instance.log())
                .atMost(BOUND)
                .until(() -> instance.lines() >= enough
                        || !instance.worker().process().isAlive());
        assertThat(instance.worker().process().isAlive())
                .as("the instance lives; if not, this is why: %s", logOf(instance))
                .isTrue();
    }

    private static String logOf(Instance instance) {
        try {
            return Files.readString(instance.log());
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** It is stopped to look at it, and goes on if it was between two locks. */
    private void killOneThatHoldsTheLock(String from, String to, String algorithm) throws Exception {
        Instance victim = instances.get(1);
        victim.worker().pause();
        while (!victim.isUnderTheLock()) {
            victim.worker().resume();
            awaitUpdates(victim);
            victim.worker().pause();
        }
        victim.worker().kill();
        instances.set(1, start(from, to, algorithm));
        awaitUpdatesOfAll();
    }

    /** Checks that stays came one after the other, and that the number in the end is what they counted. */
    private CounterRecords countedStays() throws IOException {
        CounterRecords records = CounterRecords.of(files);
        log.info(
                "{} updates by {} processes, {} of them cut short",
                records.stays().size(),
                files.size(),
                records.cutShort());
        assertThat(records.stays()).hasSizeGreaterThan(files.size() * UPDATES);
        records.assertOneAfterTheOther();
        assertThat(counted())
                .as("the number in the end")
                .isEqualTo(records.stays().get(records.stays().size() - 1).read() + 1);
        return records;
    }

    private long counted() {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + CounterWorker.KEYSPACE);
        try (Application application = Application.run(List.of(Application.Configuration.class), arguments)) {
            Row row = application
                    .session()
                    .execute("SELECT value FROM counted WHERE name = ?", lockId)
                    .one();
            assertThat(row).isNotNull();
            return row.getLong("value");
        }
    }
}
