package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.thesis.lease.Cell;
import io.github.cassandralock.internal.thesis.lease.CellAttempt;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.thesis.lease.CellWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One thread's attempt to take the lock: TryLock, listing 4 of the thesis. The subclass decides what follows if it fails. */
abstract class ShadowAttempt extends CellAttempt {

    /*
     * Of two threads that have written to the shadow row and then read it, at least one sees both cells. The owner deletes its
     * shadow cell only after its main cell was acknowledged, so another thread sees the shadow cell in line 8 or the main cell
     * in line 10. This requires that the shadow cell has not expired: the owner checks that at the end.
     */

    static final String ALGORITHM = "shadow";

    private static final Duration OWNER_SLEEP = Duration.ofSeconds(1);
    private static final Duration CONCURRENT_SLEEP = Duration.ofMillis(50);

    private final CellStore shadowRow;
    private final Cell shadowCell;
    private final Cell mainCell;
    private final CellWriter writer;

    private long shadowCellWrittenAt;
    private long mainCellWrittenAt;
    private boolean shadowCellMayBeThere;
    private boolean mainCellMayBeThere;
    private int concurrentAttempts;

    ShadowAttempt(ShadowContext context, String lockId, String threadId, Duration patience) {
        super(ALGORITHM, context.cells(), lockId, threadId, patience);
        this.shadowRow = context.shadowRow();
        this.shadowCell = new Cell(shadowRow, lockId, threadId);
        this.mainCell = new Cell(context.cells().mainRow(), lockId, threadId);
        this.writer = new CellWriter(context.cells(), context.wallClock().micros());
    }

    /** The verdict AnotherThreadIsOwner. */
    abstract void anotherThreadIsOwner();

    /** The verdict ConcurrentAttempt. */
    abstract void concurrentAttempt();

    /**
     * Listing 4, lines 1 to 6, without line 4: a thread id names one acquisition. So if the attempt finds its own main cell
     * here, it has given that cell up already, and the deletion is not visible yet.
     */
    @Override
    protected void begin() {
        steps().step(() -> cells().mainRow().read(lockId(), "", 2), owners -> {
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
        steps().step(() -> writer.write(shadowCell), sentAt -> {
            shadowCellWrittenAt = sentAt;
            lookAtShadowRow();
        });
    }

    /** Lines 8 and 9. */
    private void lookAtShadowRow() {
        steps().step(() -> shadowRow.read(lockId(), "", 2), threads -> {
            if (threads.equals(List.of(threadId()))) {
                lookAtMainRow();
            } else {
                leaveShadowRow();
            }
        });
    }

    /** Line 10. */
    private void lookAtMainRow() {
        steps().step(() -> cells().mainRow().read(lockId(), "", 1), owners -> {
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
        steps().step(() -> writer.write(mainCell), sentAt -> {
            mainCellWrittenAt = sentAt;
            leaveShadowRowAsOwner();
        });
    }

    /** Lines 12 and 13. Success requires that the shadow cell certainly existed until the main cell was acknowledged. */
    private void leaveShadowRowAsOwner() {
        deleteShadowCell(() -> {
            if (isCertain(shadowCellWrittenAt)) {
                acquired(List.of(mainCell), writer, mainCellWrittenAt);
            } else {
                leaveMainRow();
            }
        });
    }

    private void leaveMainRow() {
        steps().step(() -> writer.delete(mainCell), done -> {
            mainCellMayBeThere = false;
            concurrentAttempt();
        });
    }

    /** Lines 14 and 15. */
    private void leaveShadowRow() {
        deleteShadowCell(this::concurrentAttempt);
    }

    private void deleteShadowCell(Runnable next) {
        steps().step(() -> writer.delete(shadowCell), done -> {
            shadowCellMayBeThere = false;
            next.run();
        });
    }

    /** Listing 5, lines 6 and 7. */
    void sleepWhileOwned() {
        sleepThenBegin(OWNER_SLEEP);
    }

    /** Listing 5, lines 9 to 11. */
    void sleepAfterConcurrentAttempt() {
        concurrentAttempts++;
        sleepThenBegin(CONCURRENT_SLEEP.multipliedBy(concurrentAttempts));
    }

    private void sleepThenBegin(Duration upTo) {
        Duration sleep = Duration.ofNanos(cells().random().nextLong(upTo.toNanos() + 1));
        steps().pauseThen(sleep, this::begin);
    }

    /** The main cell is deleted first. */
    @Override
    protected CompletionStage<Void> deleteCells() {
        CompletionStage<Void> mainCellDeleted =
                mainCellMayBeThere ? writer.delete(mainCell) : CompletableFuture.completedFuture(null);
        CompletionStage<Void> shadowCellDeleted =
                shadowCellMayBeThere ? writer.delete(shadowCell) : CompletableFuture.completedFuture(null);
        return mainCellDeleted.thenCompose(done -> shadowCellDeleted);
    }
}
