package io.github.cassandralock.internal.migration;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The algorithm {@code migration}: a holder holds the lock under two algorithms. Therefore it excludes processes with the old
 * algorithm and processes with the new algorithm.
 *
 * <p>The half of the new algorithm is taken first. Therefore migrating processes get the lock in the order of the new algorithm.
 * At most one of them at a time competes with processes of the old one. There is no deadlock: all migrating processes take the
 * halves in this order, and other processes take only one half.
 *
 * <p>Source: thesis, section 7.2.
 */
public class MigrationAlgorithm implements LockAlgorithm {

    private final LockAlgorithm from;
    private final LockAlgorithm to;
    private final MigrationTokens tokens;

    /**
     * {@link #closeAsync()} closes both algorithms.
     *
     * @param from the old algorithm
     * @param to the new algorithm; it shares no tables with the old one
     * @param tokens {@link MigrationTokens#NONE} if both have fencing tokens
     */
    public MigrationAlgorithm(LockAlgorithm from, LockAlgorithm to, MigrationTokens tokens) {
        this.from = from;
        this.to = to;
        this.tokens = tokens;
    }

    /** The old algorithm. */
    public LockAlgorithm from() {
        return from;
    }

    /** The new algorithm. */
    public LockAlgorithm to() {
        return to;
    }

    @Override
    public String getName() {
        return name(from.getName(), to.getName());
    }

    /** The name of a migration between algorithms of these names. */
    public static String name(String from, String to) {
        return "migration from " + from + " to " + to;
    }

    /**
     * Only exclusive locks are supported, even if one algorithm supports other modes, because a lock must be held under both. If
     * the half of the other algorithm were exclusive, holders in compatible modes would exclude each other. They would hold the
     * first half while they wait for that half. If it were left out, a process that uses only that algorithm could hold the lock at
     * the same time. Other modes can be used after the migration.
     */
    @Override
    public Attempt acquire(AcquireRequest request) {
        MigrationAttempt attempt = new MigrationAttempt(from, to, request.requireExclusive(getName()), tokens);
        attempt.start();
        return attempt;
    }

    @Override
    public void abandonAll(LockLoss loss) {
        to.abandonAll(loss);
        from.abandonAll(loss);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.allOf(
                to.closeAsync().toCompletableFuture(), from.closeAsync().toCompletableFuture());
    }
}
