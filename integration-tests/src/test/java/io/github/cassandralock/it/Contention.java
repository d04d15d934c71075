package io.github.cassandralock.it;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What it costs several contenders to take one lock again and again without doing anything under it.
 *
 * @param meanMillis from asking for the lock to having it
 * @param p99Millis the same, of the slowest hundredth
 * @param locksPerSecond of all contenders together
 * @param operationsPerLock everything that was sent to the database, divided by the grants
 * @param changedHands the share of grants that went to another contender than the one before
 */
record Contention(
        double meanMillis, double p99Millis, double locksPerSecond, double operationsPerLock, double changedHands) {

    private record Grant(int contender, long waitedNanos) {}

    /** Every locker is a contender; each takes the lock so many times. */
    static Contention measure(List<RemoteLocker> contenders, SentStatements sent, String lockId, int rounds) {
        ConcurrentLinkedQueue<Grant> grants = new ConcurrentLinkedQueue<>();
        AtomicInteger overlap = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(contenders.size());
        try {
            long operationsBefore = sent.count();
            long startedAt = System.nanoTime();
            List<Future<?>> work = new ArrayList<>();
            for (int contender = 0; contender < contenders.size(); contender++) {
                int number = contender;
                work.add(threads.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        long askedAt = System.nanoTime();
                        try (RemoteLock lock = contenders.get(number).getLock(lockId)) {
                            grants.add(new Grant(number, System.nanoTime() - askedAt));
                            if (overlap.incrementAndGet() != 1 || !lock.isHeld()) {
                                throw new AssertionError("two hold lock " + lockId);
                            }
                            overlap.decrementAndGet();
                        }
                    }
                }));
            }
            for (Future<?> future : work) {
                future.get(5, TimeUnit.MINUTES);
            }
            return of(List.copyOf(grants), System.nanoTime() - startedAt, sent.count() - operationsBefore);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Contention of(List<Grant> grants, long nanos, long operations) {
        double[] waits = grants.stream()
                .mapToDouble(grant -> grant.waitedNanos() / 1e6)
                .sorted()
                .toArray();
        int changes = 0;
        for (int i = 1; i < grants.size(); i++) {
            changes += grants.get(i).contender() != grants.get(i - 1).contender() ? 1 : 0;
        }
        return new Contention(
                Arrays.stream(waits).average().orElse(0),
                waits[(int) (waits.length * 0.99)],
                grants.size() * 1e9 / nanos,
                (double) operations / grants.size(),
                (double) changes / (grants.size() - 1));
    }
}
