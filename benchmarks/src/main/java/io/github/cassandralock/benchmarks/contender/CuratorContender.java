package io.github.cassandralock.benchmarks.contender;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.drivers.AdvancedTracerDriver;
import org.apache.curator.drivers.EventTrace;
import org.apache.curator.drivers.OperationTrace;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's mutex, its read-write lock and its semaphore with their defaults, one object for each lock, as their pages advise. */
final class CuratorContender implements Contender {

    private static final int FIRST_RETRY_MILLIS = 100;
    private static final int RETRIES = 5;

    private final Operations operations = new Operations();
    private final CuratorFramework client;
    private final Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
    private final Map<String, InterProcessReadWriteLock> readWriteLocks = new ConcurrentHashMap<>();
    private final Map<String, InterProcessSemaphoreV2> semaphores = new ConcurrentHashMap<>();

    /** Counts the operations sent to ZooKeeper; what ZooKeeper tells by itself is none. */
    private static final class Operations extends AdvancedTracerDriver {

        private final AtomicLong count = new AtomicLong();

        @Override
        public void addTrace(OperationTrace trace) {
            count.incrementAndGet();
        }

        @Override
        public void addEvent(EventTrace event) {
            // the connection's, not a lock's
        }
    }

    CuratorContender(String servers, boolean counted) throws InterruptedException {
        client = CuratorFrameworkFactory.newClient(servers, new ExponentialBackoffRetry(FIRST_RETRY_MILLIS, RETRIES));
        if (counted) {
            client.getZookeeperClient().setTracerDriver(operations);
        }
        client.start();
        client.blockUntilConnected();
    }

    @Override
    public Hold acquire(String lockId) throws Exception {
        return acquired(mutexes.computeIfAbsent(lockId, id -> new InterProcessMutex(client, "/locks/" + id)));
    }

    @Override
    public Hold acquireToRead(String lockId) throws Exception {
        return acquired(readWriteLock(lockId).readLock());
    }

    @Override
    public Hold acquireToWrite(String lockId) throws Exception {
        return acquired(readWriteLock(lockId).writeLock());
    }

    private InterProcessReadWriteLock readWriteLock(String lockId) {
        return readWriteLocks.computeIfAbsent(lockId, id -> new InterProcessReadWriteLock(client, "/read-write/" + id));
    }

    @Override
    public Hold acquirePermit(String lockId, int permits) throws Exception {
        InterProcessSemaphoreV2 semaphore = semaphores.computeIfAbsent(
                lockId, id -> new InterProcessSemaphoreV2(client, "/semaphores/" + id, permits));
        Lease lease = semaphore.acquire();
        return () -> semaphore.returnLease(lease);
    }

    private static Hold acquired(InterProcessMutex mutex) throws Exception {
        mutex.acquire();
        return mutex::release;
    }

    @Override
    public long requests() {
        return operations.count.get();
    }

    @Override
    public void close() {
        client.close();
    }
}
