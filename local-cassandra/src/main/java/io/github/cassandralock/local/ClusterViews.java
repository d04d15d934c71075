package io.github.cassandralock.local;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Who sees whom up, over all nodes of a cluster, and the one place to wait for a change of it. Thread-safe.
 *
 * <p>Nodes are compared by host and generation: right after a quick restart the others may still hold the node up as it
 * was before, and that does not count.
 */
final class ClusterViews {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private final Map<String, NodeProcess> processes = new ConcurrentHashMap<>();

    /** Replaces the host's former process. */
    void put(String host, NodeProcess process) {
        processes.put(host, process);
    }

    /** Makes the waiting threads look again. */
    void announceChange() {
        lock.lock();
        try {
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the condition; false if it did not come true within the bound. */
    boolean await(BooleanSupplier condition, Duration bound) throws InterruptedException {
        long nanos = bound.toNanos();
        lock.lockInterruptibly();
        try {
            while (!condition.getAsBoolean()) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = change.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether every node that is started and not paused sees every other such node up, as it is now. */
    boolean agree() {
        List<Map.Entry<String, NodeProcess>> active = processes.entrySet().stream()
                .filter(entry -> entry.getValue().isActive())
                .toList();
        return active.stream().allMatch(seen -> {
            String generation = seen.getValue().view().get(seen.getKey());
            return generation != null
                    && active.stream()
                            .allMatch(
                                    by -> generation.equals(by.getValue().view().get(seen.getKey())));
        });
    }
}
