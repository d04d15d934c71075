package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A thousand virtual threads of one process use locks. Costs some seconds, on newer JDKs only. Catches a call that occupies the
 * threads that carry virtual threads while it waits: two of them carry all here, so that holders could not go on.
 */
@ExtendWith(SharedCassandra.class)
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class VirtualThreadsIT {

    private static final int THREADS = 1000;
    private static final int LOCKS = 10;

    /** Compiled for a JDK that has no virtual threads. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @Test
    void thousandVirtualThreadsGetTheirLocksOneAfterAnother(CassandraCluster cluster) throws Exception {
        int[] counters = new int[LOCKS];
        ExecutorService threads = virtualThreads();
        try (Application application = Application.start(cluster)) {
            List<Future<?>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int counter = thread % LOCKS;
                work.add(threads.submit(() -> increment(application.locker(), counters, counter)));
            }
            for (Future<?> each : work) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(counters).containsOnly(THREADS / LOCKS);
    }

    private static void increment(RemoteLocker locker, int[] counters, int counter) {
        try (RemoteLock lock = locker.getLock("virtual:" + counter, Duration.ofMinutes(1))) {
            int before = counters[counter];
            lock.ensureHeld();
            counters[counter] = before + 1;
        }
    }
}
