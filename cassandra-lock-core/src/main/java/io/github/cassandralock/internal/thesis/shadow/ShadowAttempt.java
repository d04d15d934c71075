package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.thesis.lease.Cell;
import io.github.cassandralock.internal.thesis.lease.CellLease;
import io.github.cassandralock.internal.thesis.lease.CellWriter;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One thread's attempt to take the lock: TryLock, listing 4 of the thesis. The subclass decides what follows if it fails.
 */
abstract class ShadowAttempt implements Attempt {

    /*
     * Of two threads that have written to the shadow row and then read it, at least one sees both cells. The owner deletes its
     * shadow cell only after its main cell was acknowledged, so another thread sees the shadow cell in line 8 or the main cell
     * in line 10. This requires that the shadow cell has not expired: the owner checks that at the end.
     *
     * The listing does not say the following: a write that was not acknowledged is repeated before the next line, and if the
     * attempt ends without Success, it deletes every cell that it may have written.
     */

    static final String NO_FENCING_TOKEN =
            "The algorithm 'shadow' has no fencing tokens. To use getFencingToken(), move all instances to the"
                    + " algorithm 'ticket', in the steps of docs/guide/moving.md";

    private static final Duration OWNER_SLEEP = Duration.ofSeconds(1);
    private static final Duration CONCURRENT_SLEEP = Duration.ofMillis(50);

    private final ShadowAlgorithm.Context context;
    private final String lockId;
    private final String threadId;
    private final Cell shadowCell;
    private final Cell mainCell;
    private final CellWriter writer;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final Steps steps;

    private long shadowCellWrittenAt;
    private long mainCellWrittenAt;
    private boolean shadowCellMayBeThere;
    private boolean mainCellMayBeThere;
    private int concurrentAttempts;

    /** @param patience how long the store may fail, without a success in between, before the attempt fails */
    ShadowAttempt(ShadowAlgorithm.Context context, String lockId, String threadId, Duration patience) {
        this.context = context;
        this.lockId = lockId;
        this.threadId = threadId;
        this.shadowCell = new Cell(context.shadowRow(), lockId, threadId);
        this.mainCell = new Cell(context.mainRow(), lockId, threadId);
        this.writer = new CellWriter(
                context.settings(),
                context.ticker(),
                context.timers(),
                context.wallClock().micros(),
                context.warnings(),
                context.counters());
        this.steps = new Steps(
                Runnable::run,
                context.ticker(),
                context.timers(),
                context.settings().retry(),
                patience,
                this::leaveFor);
    }

    /** The verdict AnotherThreadIsOwner. */
    abstract void anotherThreadIsOwner();

    /** The verdict ConcurrentAttempt. */
    abstract void concurrentAttempt();

    @Override
    public CompletionStage<Optional<Grant>> outcome() {
        return outcome;
    }

    @Override
    public Optional<Obstacle> obstacle() {
        return steps.lastFailure().map(Obstacle.StoreFails::new);
    }

    @Override
    public void giveUp() {
        steps.abandon();
    }

    /**
     * Listing 4, lines 1 to 6, without line 4: a thread id names one acquisition. So if the attempt finds its own main cell
     * here, it has given that cell up already, and the deletion is not visible yet.
     */
    void tryLock() {
        steps.step(() -> context.mainRow().read(lockId, "", 2), owners -> {
            if (owners.size() == 1) {
                anotherThreadIsOwner();
            } else {
                enterShadowRow();
            }
        });
    }

    /** Line 7. */
    private void enterShadowRow() {
        shadowCellMayBeThere = true;
        steps.step(() -> writer.write(shadowCell), sentAt -> {
            shadowCellWrittenAt = sentAt;
            lookAtShadowRow();
        });
    }

    /** Lines 8 and 9. */
    private void lookAtShadowRow() {
        steps.step(() -> context.shadowRow().read(lockId, "", 2), threads -> {
            if (threads.equals(List.of(threadId))) {
                lookAtMainRow();
            } else {
                leaveShadowRow();
            }
        });
    }

    /** Line 10. */
    private void lookAtMainRow() {
        steps.step(() -> context.mainRow().read(lockId, "", 1), owners -> {
            if (owners.isEmpty()) {
                enterMainRow();
            } else {
                leaveShadowRow();
            }
        });
    }

    /** Line 11. */
    private void enterMainRow() {
        mainCellMayBeThere = true;
        steps.step(() -> writer.write(mainCell), sentAt -> {
            mainCellWrittenAt = sentAt;
            leaveShadowRowAsOwner();
        });
    }

    /** Lines 12 and 13. Success requires that the shadow cell certainly existed until the main cell was acknowledged. */
    private void leaveShadowRowAsOwner() {
        deleteShadowCell(() -> {
            if (context.ticker().nanos() - shadowCellWrittenAt
                    < context.settings().certain().toNanos()) {
                success();
            } else {
                leaveMainRow();
            }
        });
    }

    private void success() {
        CellLease lease = CellLease.hold(List.of(mainCell), writer, mainCellWrittenAt, NO_FENCING_TOKEN);
        if (!outcome.complete(Optional.of(lease))) {
            lease.release();
        }
    }

    private void leaveMainRow() {
        steps.step(() -> writer.delete(mainCell), done -> {
            mainCellMayBeThere = false;
            concurrentAttempt();
        });
    }

    /** Lines 14 and 15. */
    private void leaveShadowRow() {
        deleteShadowCell(this::concurrentAttempt);
    }

    private void deleteShadowCell(Runnable next) {
        steps.step(() -> writer.delete(shadowCell), done -> {
            shadowCellMayBeThere = false;
            next.run();
        });
    }

    /** Listing 5, lines 6 and 7. */
    void sleepWhileOwned() {
        sleepThenTryLock(OWNER_SLEEP);
    }

    /** Listing 5, lines 9 to 11. */
    void sleepAfterConcurrentAttempt() {
        concurrentAttempts++;
        sleepThenTryLock(CONCURRENT_SLEEP.multipliedBy(concurrentAttempts));
    }

    private void sleepThenTryLock(Duration upTo) {
        Duration sleep = Duration.ofNanos(context.random().nextLong(upTo.toNanos() + 1));
        steps.pauseThen(sleep, this::tryLock);
    }

    /** Ends the attempt without a lock. Its cells are deleted already, or their deletion is repeated in the background. */
    void refuse() {
        outcome.complete(Optional.empty());
    }

    private void leaveFor(Throwable reason) {
        if (mainCellMayBeThere) {
            writer.delete(mainCell);
        }
        if (shadowCellMayBeThere) {
            writer.delete(shadowCell);
        }
        outcome.completeExceptionally(reason);
    }

    ShadowAlgorithm.Context context() {
        return context;
    }
}
