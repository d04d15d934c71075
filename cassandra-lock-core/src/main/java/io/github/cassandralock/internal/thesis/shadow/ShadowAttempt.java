package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.thesis.lease.CellAttempt;
import io.github.cassandralock.internal.thesis.lease.CellWriter;
import io.github.cassandralock.spi.AcquireRequest;
import java.time.Duration;
import java.util.List;

/**
 * One thread's attempt to take the lock: TryLock, listing 4 of the thesis. GetLock (listing 5) repeats it until it succeeds. TryGetLock
 * is refused if another thread is the owner.
 */
final class ShadowAttempt extends CellAttempt {

    /*
     * Of two threads that have written to the shadow row and then read it, at least one sees both cells. The owner deletes its
     * shadow cell only after its main cell was acknowledged. Therefore another thread sees the shadow cell in line 8 or the main
     * cell in line 10. This requires that the shadow cell has not expired: the owner checks that at the end.
     *
     * If several threads try a free lock at one time, each may see the others and leave. Then none gets the lock. Therefore
     * TryGetLock is repeated after such a conflict, as in listing 5. A limit ends this, because the other thread may be dead, and
     * its cell exists until it expires.
     */

    static final String ALGORITHM = "shadow";

    private static final Duration OWNER_SLEEP = Duration.ofSeconds(1);
    private static final Duration CONCURRENT_SLEEP = Duration.ofMillis(50);

    private final ShadowContext context;
    private final OwnCell mainCell;
    private final OwnCell shadowCell;
    private int concurrentAttempts;

    ShadowAttempt(ShadowContext context, AcquireRequest request) {
        super(ALGORITHM, context.cells(), request);
        this.context = context;
        CellWriter writer = new CellWriter(context.cells(), context.wallClock().readMicros());
        this.mainCell = ownCell(writer, context.cells().mainRow(), threadId());
        this.shadowCell = ownCell(writer, context.shadowRow(), threadId());
    }

    /**
     * Listing 4, lines 1 to 6, without line 4: a thread id names one acquisition. If the attempt finds its own main cell here, it
     * has deleted that cell already. The deletion is not visible yet.
     */
    @Override
    protected void begin() {
        steps().step(() -> cells().mainRow().read(lockId(), "", 2), owners -> {
            if (owners.size() != 1) {
                shadowCell.write(this::lookAtShadowRow);
            } else if (waits()) {
                sleepThenBegin(OWNER_SLEEP);
            } else {
                refuse();
            }
        });
    }

    /** Lines 8 and 9. */
    private void lookAtShadowRow() {
        steps().step(() -> context.shadowRow().read(lockId(), "", 2), threads -> {
            if (threads.equals(List.of(threadId()))) {
                lookAtMainRow();
            } else {
                leaveShadowRow();
            }
        });
    }

    /** Lines 10 and 11. */
    private void lookAtMainRow() {
        steps().step(() -> cells().mainRow().read(lockId(), "", 1), owners -> {
            if (owners.isEmpty()) {
                mainCell.write(this::leaveShadowRowAsOwner);
            } else {
                leaveShadowRow();
            }
        });
    }

    /** Lines 12 and 13. Success requires that the shadow cell certainly existed until the main cell was acknowledged. */
    private void leaveShadowRowAsOwner() {
        shadowCell.delete(() -> {
            if (shadowCell.isCertain()) {
                acquired(mainCell);
            } else {
                mainCell.delete(this::concurrentAttempt);
            }
        });
    }

    /** Lines 14 and 15. */
    private void leaveShadowRow() {
        shadowCell.delete(this::concurrentAttempt);
    }

    /** The verdict ConcurrentAttempt; listing 5, lines 9 to 11. */
    private void concurrentAttempt() {
        if (!waits() && isConflictTooLong()) {
            refuse();
        } else {
            concurrentAttempts++;
            sleepThenBegin(CONCURRENT_SLEEP.multipliedBy(concurrentAttempts));
        }
    }

    private void sleepThenBegin(Duration upTo) {
        Duration sleep = Duration.ofNanos(cells().random().nextLong(upTo.toNanos() + 1));
        steps().pauseThen(sleep, this::begin);
    }
}
