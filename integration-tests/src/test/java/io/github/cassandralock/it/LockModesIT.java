package io.github.cassandralock.it;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
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
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Modes between instances of an application, on a real node. The pairs cost ten seconds; they would catch a mode that is written or
 * read wrongly. The five processes cost a minute and a half; they would catch any two that do what excludes each other.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LockModesIT {

    private static final String KEYSPACE = "modes";
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration BOUND = Duration.ofMinutes(1);
    private static final int READERS = 8;
    private static final int PROCESSES = 5;
    private static final int USES = 25;

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

    private static Stream<List<LockMode>> pairs() {
        return Arrays.stream(LockMode.values())
                .flatMap(held -> Arrays.stream(LockMode.values()).map(asked -> List.of(held, asked)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void lockIsSharedByTwoInstancesIfTheirModesAreCompatible(List<LockMode> pair) {
        LockRequest held = LockRequest.of(lockId + ":" + pair).mode(pair.get(0));
        LockRequest asked = LockRequest.of(held.lockId()).mode(pair.get(1));
        boolean shared = pair.get(0).isCompatibleWith(pair.get(1));
        try (RemoteLock holder = one().getLock(held)) {
            assertThat(isGranted(asked, shared ? BOUND : SHORT))
                    .as("a call that waits")
                    .isEqualTo(shared);
            assertThat(other().tryGetLock(asked))
                    .as("a call that does not wait")
                    .satisfies(lock -> assertThat(lock.isPresent()).isEqualTo(shared))
                    .satisfies(lock -> lock.ifPresent(RemoteLock::close));
            assertThat(holder.isHeld()).isTrue();
        }
        try (RemoteLock after = other().getLock(asked, BOUND)) {
            assertThat(after.mode()).isEqualTo(pair.get(1));
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
            RemoteLock lock = other().getLock(LockRequest.of(reading.lockId()), BOUND);
            writer.complete(lock);
            lock.close();
            return null;
        });
        ConcurrentTasks.runAll(work);
        assertThat(writer).isCompleted();
    }

    @Test
    @Tag("slow")
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
