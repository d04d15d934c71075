package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.counter.ProtocolCounters;
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
 * The algorithm {@code shadow}: threads compete in a shadow row for the right to enter the main row.
 *
 * <p>Guarantees at most one holder as long as the differences of the servers' clocks are much smaller than a lease. It does not
 * guarantee an order or a time: waiters sleep for random times, so the last holder often takes the lock again, and the more
 * threads compete, the longer it takes until one succeeds. It has no fencing tokens. It exists for applications that use it and
 * will migrate, and for comparisons.
 *
 * <p>Source: thesis, section 4, listings 4 and 5.
 */
public class ShadowAlgorithm implements LockAlgorithm {

    /** The objects that all attempts share. */
    record Context(
            CellStore shadowRow,
            CellStore mainRow,
            LeaseSettings settings,
            Ticker ticker,
            Timers timers,
            WallClock wallClock,
            RandomGenerator random,
            LeaseWarnings warnings,
            ProtocolCounters counters) {}

    private final Context context;

    /**
     * @param shadowRow the rows in which threads compete
     * @param mainRow the rows with the owners
     * @param wallClock gives the first timestamp of an acquisition; no decision depends on it
     * @param random determines how long threads sleep; must be thread-safe
     * @param counters count renewals
     */
    public ShadowAlgorithm(
            CellStore shadowRow,
            CellStore mainRow,
            LeaseSettings settings,
            Ticker ticker,
            Timers timers,
            WallClock wallClock,
            RandomGenerator random,
            ProtocolCounters counters) {
        this.context = new Context(
                shadowRow, mainRow, settings, ticker, timers, wallClock, random, LeaseWarnings.with(timers), counters);
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
