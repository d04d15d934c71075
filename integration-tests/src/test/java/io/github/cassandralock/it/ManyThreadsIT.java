package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Many threads with one locker, and with a locker each; and lockers whose wall clocks are wrong. */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("once")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ManyThreadsIT {

    private static final Logger log = LoggerFactory.getLogger(ManyThreadsIT.class);
    private static final int THREADS = 100;

    private final Application application;
    private final Lockers lockers;

    ManyThreadsIT(CassandraCluster cluster) {
        application = Application.start(cluster);
        lockers = new Lockers(application);
    }

    @AfterAll
    void stop() {
        lockers.close();
        application.close();
    }

    /** Every thread takes the lock again and again for so long; returns locks per second. */
    private static double locksPerSecond(List<RemoteLocker> oneForEachThread, String lockId, Duration howLong)
            throws Exception {
        AtomicLong locks = new AtomicLong();
        long startedAt = System.nanoTime();
        List<Callable<Void>> work = new ArrayList<>();
        for (RemoteLocker locker : oneForEachThread) {
            work.add(() -> {
                while (System.nanoTime() - startedAt < howLong.toNanos()) {
                    try (RemoteLock lock = locker.getLock(lockId)) {
                        lock.ensureHeld();
                        locks.incrementAndGet();
                    }
                }
                return null;
            });
        }
        ConcurrentTasks.runAll(work);
        return locks.get() * 1e9 / (System.nanoTime() - startedAt);
    }

    @Tag("nightly")
    @Test
    @Tag("slow")
    void hundredThreadsOfOneProcessTakeFiftyTimesTheLocksOfAHundredProcesses() throws Exception {
        RemoteLocker shared = lockers.ticket(Duration.ZERO);
        List<RemoteLocker> together =
                IntStream.range(0, THREADS).mapToObj(i -> shared).toList();
        List<RemoteLocker> apart = IntStream.range(0, THREADS)
                .mapToObj(i -> lockers.ticket(Duration.ZERO))
                .toList();
        String lockId = "threads:" + UUID.randomUUID();
        locksPerSecond(apart, lockId, Duration.ofSeconds(5));
        locksPerSecond(together, lockId, Duration.ofSeconds(5));
        double separate = locksPerSecond(apart, lockId, Duration.ofSeconds(10));
        double local = locksPerSecond(together, lockId, Duration.ofSeconds(5));
        log.info("{} threads: {} locks/s with a locker each, {} with one locker", THREADS, separate, local);
        assertThat(local / separate)
                .as("locks per second of one locker, as a multiple of separate ones'")
                .isGreaterThanOrEqualTo(50);
    }

    @Test
    void wallClocksTwoHoursApartChangeNothing() throws Exception {
        String lockId = "clocks:" + UUID.randomUUID();
        List<RemoteLocker> apart = List.of(
                lockers.ticket(Duration.ofHours(2)),
                lockers.ticket(Duration.ofHours(-2)),
                lockers.ticket(Duration.ZERO));
        List<Long> tokens = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            for (RemoteLocker locker : apart) {
                try (RemoteLock lock = locker.getLock(lockId)) {
                    tokens.add(lock.reserveFencingToken());
                    for (RemoteLocker other : apart) {
                        assertThat(other.tryGetLock(lockId)).isEmpty();
                    }
                    assertThat(lock.isHeld()).isTrue();
                }
            }
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }
}
