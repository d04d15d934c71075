package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.thesis.lease.LeaseSettings;
import io.github.cassandralock.internal.thesis.lease.LeaseWarnings;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * The algorithm {@code shadow}: threads fight in a shadow row for the right to enter the main row.
 *
 * <p>Guarantees at most one holder as long as the servers' clocks agree to well within a lease. Nothing is guaranteed of
 * who gets it and when: waiters sleep for random times, so the lock is often taken again by whoever had it, and the more
 * threads fight, the longer it takes until one wins. It cannot vouch for a fencing token. For fleets that run it and are
 * to move on, and to measure others against.
 *
 * <p>Source: thesis, section 4, listings 4 and 5.
 */
public final class ShadowAlgorithm implements LockAlgorithm {

    /** What every attempt works with. */
    record Context(
            CellStore shadowRow,
            CellStore mainRow,
            LeaseSettings settings,
            Ticker ticker,
            Timers timers,
            WallClock wallClock,
            RandomGenerator random,
            LeaseWarnings warnings) {}

    private final Context context;

    /**
     * @param shadowRow the rows in which threads fight
     * @param mainRow the rows that hold the owners
     * @param wallClock gives the timestamps at which the writes of an acquisition begin; decides nothing
     * @param random decides how long threads sleep; must be safe for use by several threads
     */
    public ShadowAlgorithm(
            CellStore shadowRow,
            CellStore mainRow,
            LeaseSettings settings,
            Ticker ticker,
            Timers timers,
            WallClock wallClock,
            RandomGenerator random) {
        this.context = new Context(
                shadowRow, mainRow, settings, ticker, timers, wallClock, random, LeaseWarnings.with(timers));
    }

    @Override
    public String name() {
        return "shadow";
    }

    @Override
    public Attempt acquire(String lockId, String threadId) {
        return started(new MandatoryAttempt(context, lockId, threadId));
    }

    @Override
    public Attempt tryAcquire(String lockId, String threadId) {
        return started(new SoftAttempt(context, lockId, threadId));
    }

    private static Attempt started(ShadowAttempt attempt) {
        attempt.tryLock();
        return attempt;
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.completedFuture(null);
    }
}
