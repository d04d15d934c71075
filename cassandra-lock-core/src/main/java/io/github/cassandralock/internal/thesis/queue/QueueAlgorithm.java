package io.github.cassandralock.internal.thesis.queue;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.thesis.lease.LeaseSettings;
import io.github.cassandralock.internal.thesis.lease.LeaseWarnings;
import io.github.cassandralock.internal.thesis.time.GlobalTime;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * The algorithm {@code queue}: threads queue by the time of their arrival, and the first one must find itself alone in
 * the main row.
 *
 * <p>Guarantees at most one holder (theorem 1) as long as the servers' clocks agree to well within a lease, and that
 * every waiter gets the lock in the end (theorem 2). It has no fencing tokens.
 *
 * <p>Source: thesis, section 5, listings 6 to 8.
 */
public class QueueAlgorithm implements LockAlgorithm {

    /** The objects that all attempts share. */
    record Context(
            QueueRow queue,
            CellStore mainRow,
            GlobalTime time,
            LeaseSettings settings,
            PollBounds poll,
            Ticker ticker,
            Timers timers,
            RandomGenerator random,
            LeaseWarnings warnings,
            ProtocolCounters counters) {}

    private final Context context;

    /**
     * @param queue the rows with the queues
     * @param mainRow the rows with the holders
     * @param time gives the time at which a thread arrives; closed with this algorithm
     * @param random determines how long threads pause that meet in the main row; must be thread-safe
     * @param counters count renewals
     */
    public QueueAlgorithm(
            CellStore queue,
            CellStore mainRow,
            GlobalTime time,
            LeaseSettings settings,
            PollBounds poll,
            Ticker ticker,
            Timers timers,
            RandomGenerator random,
            ProtocolCounters counters) {
        this.context = new Context(
                new QueueRow(queue, ticker),
                mainRow,
                time,
                settings,
                poll,
                ticker,
                timers,
                random,
                LeaseWarnings.with(timers),
                counters);
    }

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public Attempt acquire(String lockId, String threadId) {
        return started(new MandatoryAttempt(context, lockId, threadId));
    }

    @Override
    public Attempt tryAcquire(String lockId, String threadId) {
        return started(new SoftAttempt(context, lockId, threadId));
    }

    private static Attempt started(QueueAttempt attempt) {
        attempt.start();
        return attempt;
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        context.time().close();
        return CompletableFuture.completedFuture(null);
    }
}
