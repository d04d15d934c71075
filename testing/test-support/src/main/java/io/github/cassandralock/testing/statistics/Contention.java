package io.github.cassandralock.testing.statistics;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.SentStatements;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;

/** What it costs several contenders of one JVM to take one lock again and again and to do nothing under it. */
public final class Contention {

    private Contention() {}

    /**
     * Measures one turn.
     *
     * @param contenders each takes the lock on a thread of its own
     * @param rounds how often each takes it
     */
    public static Figures measure(List<RemoteLocker> contenders, SentStatements sent, String lockId, int rounds)
            throws InterruptedException, ExecutionException {
        Collection<Grant> grants = new ConcurrentLinkedQueue<>();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (RemoteLocker contender : contenders) {
            int number = tasks.size() + 1;
            tasks.add(() -> {
                for (int round = 0; round < rounds; round++) {
                    grants.add(take(contender, number, lockId));
                }
                return null;
            });
        }
        long sentBefore = sent.count();
        long startedAt = System.nanoTime();
        ConcurrentTasks.runAll(tasks);
        return Figures.of(List.of(new Turn(startedAt, List.copyOf(grants), sent.count() - sentBefore)));
    }

    private static Grant take(RemoteLocker contender, int number, String lockId) {
        long askedAt = System.nanoTime();
        try (RemoteLock lock = contender.getLock(lockId)) {
            long enteredAt = System.nanoTime();
            lock.ensureHeld();
            return new Grant(1, number, 0, askedAt, enteredAt, System.nanoTime());
        }
    }
}
