package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The algorithm {@code shadow}: threads compete in a shadow row for the right to enter the main row.
 *
 * <p>Guarantees at most one holder as long as the differences of the servers' clocks are much smaller than a lease. Guarantees
 * neither an order nor a time. Waiters sleep for random times, so the last holder often takes the lock again. The more threads
 * compete, the longer it takes until one succeeds. It has no fencing tokens. It exists for applications that use it and will
 * migrate, and for comparisons.
 *
 * <p>Source: thesis, section 4, listings 4 and 5.
 */
public class ShadowAlgorithm implements LockAlgorithm {

    private final ShadowContext context;

    /**
     * @param shadowRow the rows in which threads compete
     * @param wallClock supplies the first timestamp of an acquisition; no decision depends on it
     */
    public ShadowAlgorithm(CellStore shadowRow, WallClock wallClock, CellContext cells) {
        this.context = new ShadowContext(shadowRow, wallClock, cells);
    }

    @Override
    public String getName() {
        return ShadowAttempt.ALGORITHM;
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        return new ShadowAttempt(context, request.requireExclusive(getName())).started();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.completedFuture(null);
    }
}
