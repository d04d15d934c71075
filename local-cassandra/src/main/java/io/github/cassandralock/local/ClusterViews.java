package io.github.cassandralock.local;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Which node sees which other node up, and the one place to wait for a change of it. Thread-safe.
 *
 * <p>Nodes are compared by host and generation. After a quick restart, other nodes may still see the node's earlier run as up,
 * which does not count.
 */
final class ClusterViews {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private final Map<String, NodeProcess> processes = new ConcurrentHashMap<>();

    /** Replaces the host's former process. */
    void put(String host, NodeProcess process) {
        processes.put(host, process);
    }

    /** Wakes the waiting threads, which test their conditions again. */
    void announceChange() {
        lock.lock();
        try {
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the condition. Returns false if it was not true within the bound. */
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

    /** Whether every node that is started and not paused sees the present run of every other such node up. */
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
