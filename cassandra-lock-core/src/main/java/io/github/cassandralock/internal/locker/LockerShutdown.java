package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.internal.locker.call.WaitingCalls;
import io.github.cassandralock.internal.locker.held.GrantedLocks;
import io.github.cassandralock.internal.locker.held.MinimumHolds;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.locker.path.PathNodes;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a locker, or all of its calls and locks. The order is: new calls are refused; waiting calls end; locks are released; locks
 * with a minimum time are released or left behind; the algorithm ends; the threads end. A call that joins the waiting calls late
 * finds the locker closed before it reads the algorithm's answer. Thread-safe.
 */
record LockerShutdown(
        LockAlgorithm algorithm,
        GrantedLocks locks,
        MinimumHolds minimumHolds,
        WaitingCalls waiting,
        PathNodes pathNodes,
        CallbackThreads threads) {

    private static final Logger log = LoggerFactory.getLogger(LockerShutdown.class);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Ends all calls, and declares all locks lost. */
    void restored() {
        LockLoss loss = new LockLoss(Reason.RESTORED, "the process was restored from a checkpoint");
        waiting.endForLocks(call -> new IllegalStateException("The call for lock '" + call.lockId()
                + "' was given up, because " + loss.text() + "; nothing is held, repeat the call"));
        locks.abandonAll(loss);
        pathNodes.abandonAll(loss);
        minimumHolds.abandonAll(loss);
        algorithm.abandonAll(loss);
    }

    /** @param longestWait for locks with a minimum time */
    void close(Duration longestWait) {
        if (locks.close()) {
            await(releaseAll(), LIMIT, "the release of all held locks");
            endMinimumHolds(longestWait);
            await(algorithm.closeAsync(), LIMIT, "the end of the algorithm '" + algorithm.getName() + "'");
            threads.shutdown();
        }
    }

    /** If the thread is interrupted while it waits, it leaves the locks behind. */
    private void endMinimumHolds(Duration longestWait) {
        int held = minimumHolds.size();
        if (held > 0) {
            log.info("At shutdown, {} locks stay taken because their requests have a minimum time (holdAtLeast)", held);
            String what = "the release of " + held + " locks with a minimum time";
            await(minimumHolds.endWithin(longestWait), longestWait.plus(LIMIT), what);
            await(minimumHolds.endWithin(Duration.ZERO), LIMIT, what);
        }
    }

    CompletionStage<Void> closeAsync() {
        return locks.close()
                ? releaseAll()
                        .thenCompose(done -> minimumHolds.endWithin(MinimumHolds.LONGEST_WAIT))
                        .thenCompose(done -> algorithm.closeAsync())
                        .thenRun(threads::shutdown)
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> releaseAll() {
        waiting.endForLocks(call -> GrantedLocks.closedWhile("waiting for", call.lockId()));
        return locks.releaseAll(new LockLoss(Reason.CLOSED, "the application is shutting down"), LIMIT);
    }

    private static void await(CompletionStage<Void> end, Duration limit, String what) {
        try {
            end.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "At shutdown, {} was not done within {}; locks that are not released by then are free after their"
                            + " lease",
                    what,
                    DurationText.of(limit),
                    e);
        }
    }
}
