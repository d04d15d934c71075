package io.github.cassandralock.internal.thesis.queue;

import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.thesis.time.GlobalTime;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The algorithm {@code queue}: threads queue by the time of their arrival. The first thread must find itself alone in the main
 * row.
 *
 * <p>Guarantees at most one holder (theorem 1) as long as the servers' clocks differ by much less than a lease. Guarantees that
 * every waiter gets the lock in the end (theorem 2). It has no fencing tokens.
 *
 * <p>Source: thesis, section 5, listings 6 to 8.
 */
public class QueueAlgorithm implements LockAlgorithm {

    private final QueueContext context;

    /**
     * @param queue the rows with the queues
     * @param time supplies the time at which a thread arrives; closed with this algorithm
     */
    public QueueAlgorithm(CellStore queue, GlobalTime time, PollBounds poll, CellContext cells) {
        this.context = new QueueContext(new QueueRow(queue, cells.ticker()), time, poll, cells);
    }

    @Override
    public String getName() {
        return QueueAttempt.ALGORITHM;
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        return new QueueAttempt(context, request.requireExclusive(getName())).started();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        context.time().close();
        return CompletableFuture.completedFuture(null);
    }
}
