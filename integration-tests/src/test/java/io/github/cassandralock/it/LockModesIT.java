package io.github.cassandralock.it;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.checkers.HistoryChecker;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import io.github.cassandralock.testing.workload.ProtectedFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Modes between instances of an application, on a real node. The pairs cost ten seconds; they would catch a mode that is written or
 * read wrongly. The five processes cost a minute and a half; they would catch any two that do what excludes each other.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LockModesIT {

    private static final String KEYSPACE = "modes";
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration BOUND = Duration.ofMinutes(1);
    private static final int READERS = 8;
    private static final int PROCESSES = 5;
    private static final int USES = 25;

    private static final List<LockMode> COLUMNS =
            List.of(NULL, CONCURRENT_READ, CONCURRENT_WRITE, PROTECTED_READ, PROTECTED_WRITE, EXCLUSIVE);

    private final CassandraCluster cluster;
    private final Instances instances;
    private final String lockId = "modes:" + UUID.randomUUID();

    LockModesIT(CassandraCluster cluster) {
        this.cluster = cluster;
        instances = Instances.start(2, cluster, KEYSPACE, List.of());
    }

    @AfterAll
    void stop() {
        instances.close();
    }

    private RemoteLocker one() {
        return instances.get(0).locker();
    }

    private RemoteLocker other() {
        return instances.get(1).locker();
    }

    /** The 36 cells are written down, so that the code under test does not decide what is expected of it. */
    @ParameterizedTest
    @CsvSource({
        //                  NL  CR  CW  PR  PW  EX
        "NULL,             yes yes yes yes yes yes",
        "CONCURRENT_READ,  yes yes yes yes yes no ",
        "CONCURRENT_WRITE, yes yes yes no  no  no ",
        "PROTECTED_READ,   yes yes no  yes no  no ",
        "PROTECTED_WRITE,  yes yes no  no  no  no ",
        "EXCLUSIVE,        yes no  no  no  no  no ",
    })
    void twoInstancesShareALockAsTheTableOfOpenVmsSays(LockMode held, String cells) {
        List<String> row = List.of(cells.trim().split(" +"));
        assertThat(row).hasSameSizeAs(COLUMNS);
        for (int column = 0; column < row.size(); column++) {
            assertIsShared(held, COLUMNS.get(column), row.get(column).equals("yes"));
        }
    }

    private void assertIsShared(LockMode mode, LockMode other, boolean shared) {
        LockRequest held = LockRequest.of(lockId + ":" + mode + ":" + other).mode(mode);
        LockRequest asked = LockRequest.of(held.getLockId()).mode(other);
        try (RemoteLock holder = one().getLock(held)) {
            assertThat(isGranted(asked, shared ? BOUND : SHORT))
                    .as("a call that waits for %s while %s is held", other, mode)
                    .isEqualTo(shared);
            assertThat(other().tryGetLock(asked))
                    .as("a call for %s that does not wait while %s is held", other, mode)
                    .satisfies(lock -> assertThat(lock.isPresent()).isEqualTo(shared))
                    .satisfies(lock -> lock.ifPresent(RemoteLock::close));
            assertThat(holder.isHeld()).isTrue();
        }
        try (RemoteLock after = other().getLock(asked, BOUND)) {
            assertThat(after.getMode()).isEqualTo(other);
        }
    }

    private boolean isGranted(LockRequest asked, Duration timeout) {
        try (RemoteLock lock = other().getLock(asked, timeout)) {
            return lock.isHeld();
        } catch (LockTimeoutException e) {
            return false;
        }
    }

    @Test
    void writerIsServedAlthoughReadersOfBothInstancesHoldTheLockAllTheTime() throws Exception {
        LockRequest reading = LockRequest.of(lockId + ":flood").mode(PROTECTED_READ);
        CountDownLatch readersAreThere = new CountDownLatch(READERS);
        CompletableFuture<RemoteLock> writer = new CompletableFuture<>();
        List<Callable<Void>> work = new ArrayList<>();
        for (int reader = 0; reader < READERS; reader++) {
            RemoteLocker locker = instances.get(reader).locker();
            work.add(() -> {
                while (!writer.isDone()) {
                    try (RemoteLock lock = locker.getLock(reading, BOUND)) {
                        readersAreThere.countDown();
                        TimeUnit.MILLISECONDS.sleep(5);
                        lock.ensureHeld();
                    }
                }
                return null;
            });
        }
        work.add(() -> {
            readersAreThere.await();
            RemoteLock lock = other().getLock(LockRequest.of(reading.getLockId()), BOUND);
            writer.complete(lock);
            lock.close();
            return null;
        });
        ConcurrentTasks.runAll(work);
        assertThat(writer).isCompleted();
    }

    @Test
    @Tag("slow")
    @Tag("nightly")
    @Tag("once")
    void fiveProcessesThatReadAndWriteOneFileFindItAsItWasLeftAlsoIfOneIsKilled(@TempDir Path directory)
            throws Exception {
        List<String> settings = new ArrayList<>(cluster.arguments());
        settings.add("--spring.cassandra.keyspace-name=" + KEYSPACE);
        settings.add("--cassandra-lock.lease=4s");
        settings.add("--cassandra-lock.notices.enabled=true");
        List<LockMode> modes =
                List.of(PROTECTED_READ, PROTECTED_READ, PROTECTED_READ, CONCURRENT_READ, PROTECTED_WRITE, EXCLUSIVE);
        List<CounterProcess> processes = new ArrayList<>();
        try {
            for (int number = 0; number < PROCESSES; number++) {
                processes.add(CounterProcess.start("process-" + number, lockId, directory, modes, settings));
            }
            processes.forEach(process -> process.awaitUses(USES));
            processes.get(0).killUnderTheLock(PROTECTED_WRITE);
            for (CounterProcess process : processes.subList(1, PROCESSES)) {
                process.awaitUses(USES);
                process.stop();
            }
        } finally {
            for (CounterProcess process : processes) {
                process.endAtOnce();
            }
        }
        try (ProtectedFiles counters = new ProtectedFiles(directory)) {
            long counted = counters.read(lockId);
            assertThat(HistoryChecker.violations(
                            processes.stream().map(CounterProcess::history).toList(), List.of(), lock -> counted))
                    .isEmpty();
            assertThat(counted).as("counted by writers").isPositive();
        }
    }
}
