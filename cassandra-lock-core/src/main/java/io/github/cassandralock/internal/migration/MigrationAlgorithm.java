package io.github.cassandralock.internal.migration;

import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The algorithm {@code migration}: a holder holds the lock under two algorithms, so it excludes the processes that still use
 * the old one and those that already use the new one.
 *
 * <p>The new half is taken first. So those that migrate are served in the new algorithm's order, and at most one of them
 * at a time meets the processes that still use the old one. All take the halves in the same order, and the others take one
 * only, so there is no deadlock.
 *
 * <p>Source: thesis, section 7.2.
 */
public final class MigrationAlgorithm implements LockAlgorithm {

    private final LockAlgorithm from;
    private final LockAlgorithm to;

    /**
     * Both are closed with this one.
     *
     * @param from the old one
     * @param to the new one
     */
    public MigrationAlgorithm(LockAlgorithm from, LockAlgorithm to) {
        this.from = from;
        this.to = to;
    }

    @Override
    public String name() {
        return "migration from " + from.name() + " to " + to.name();
    }

    @Override
    public Attempt acquire(String lockId, String threadId) {
        return started(new MigrationAttempt(
                thread -> from.acquire(lockId, thread), thread -> to.acquire(lockId, thread), threadId, false));
    }

    @Override
    public Attempt tryAcquire(String lockId, String threadId) {
        return started(new MigrationAttempt(
                thread -> from.tryAcquire(lockId, thread), thread -> to.tryAcquire(lockId, thread), threadId, true));
    }

    private static Attempt started(MigrationAttempt attempt) {
        attempt.start();
        return attempt;
    }

    @Override
    public void restored() {
        to.restored();
        from.restored();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.allOf(
                to.closeAsync().toCompletableFuture(), from.closeAsync().toCompletableFuture());
    }
}
