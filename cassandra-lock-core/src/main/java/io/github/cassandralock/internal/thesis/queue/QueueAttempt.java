package io.github.cassandralock.internal.thesis.queue;

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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread's attempt to take the lock: the steps that listings 7 and 8 of the thesis have in common. Each step is one
 * operation; the next one begins when its outcome is known.
 */
abstract class QueueAttempt implements Attempt {

    /*
     * A write that was not acknowledged is repeated with a higher timestamp before the next step. If the attempt ends without a
     * grant, it deletes every cell that it may have written.
     */

    static final String NO_FENCING_TOKEN =
            "The algorithm 'queue' has no fencing tokens. To use getFencingToken(), move all instances to the"
                    + " algorithm 'ticket', in the steps of docs/guide/moving.md";

    private static final Logger log = LoggerFactory.getLogger(QueueAttempt.class);

    private final QueueAlgorithm.Context context;
    private final String lockId;
    private final String threadId;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final Steps steps;

    private @Nullable Place place;
    private long queueCellWrittenAt;
    private long mainCellWrittenAt;
    private boolean mainCellMayBeThere;
    private boolean conflictSeen;

    /** What the log says last. */
    private @Nullable Position lastPosition;

    /** The cells of a thread whose time of arrival is known. */
    private record Place(Cell queueCell, Cell mainCell, CellWriter writer) {}

    /** @param patience how long the store may fail, without a success in between, before the attempt fails */
    QueueAttempt(QueueAlgorithm.Context context, String lockId, String threadId, Duration patience) {
        this.context = context;
        this.lockId = lockId;
        this.threadId = threadId;
        this.steps = new Steps(
                Runnable::run,
                context.ticker(),
                context.timers(),
                context.settings().retry(),
                patience,
                this::leaveFor);
    }

    /** Begins. Called once. */
    abstract void start();

    /** The thread is in the queue, behind another one. */
    abstract void behind(Position.Behind position);

    /** The thread was first in the queue, but not alone in the main row, and has left it again. */
    abstract void mainRowShared();

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

    /** Listing 6: the name of the thread's cell begins with the time of its arrival. */
    void arrive() {
        steps.step(() -> context.time().now(), arrival -> {
            QueueCell name = new QueueCell(arrival, threadId);
            place = new Place(
                    new Cell(context.queue().store(), lockId, name.name()),
                    new Cell(context.mainRow(), lockId, threadId),
                    new CellWriter(
                            context.settings(),
                            context.ticker(),
                            context.timers(),
                            arrival,
                            context.warnings(),
                            context.counters()));
            log.debug("Lock '{}': {} has its place in the queue: {}", lockId, threadId, name.name());
            joinQueue();
        });
    }

    /** Listing 7, step 1; listing 8, step 3. Repeated when half of the lease has passed. */
    private void joinQueue() {
        steps.step(() -> place().writer().write(place().queueCell()), sentAt -> {
            queueCellWrittenAt = sentAt;
            lookAtQueue();
        });
    }

    /** Listing 7, step 2; listing 8, step 4. */
    void lookAtQueue() {
        if (context.ticker().nanos() - queueCellWrittenAt
                >= context.settings().renewal().toNanos()) {
            joinQueue();
            return;
        }
        String ownCell = place().queueCell().name();
        steps.step(
                () -> conflictSeen
                        ? context.queue().lookFromTheBeginning(lockId, ownCell)
                        : context.queue().look(lockId, ownCell),
                this::placed);
    }

    private void placed(Position position) {
        if (!position.equals(lastPosition)) {
            lastPosition = position;
            log.debug("Lock '{}': {} is in the queue: {}", lockId, threadId, position);
        }
        if (position instanceof Position.First) {
            enterMainRow();
        } else if (position instanceof Position.Behind behind) {
            behind(behind);
        } else {
            steps.pauseThen(context.poll().min(), this::joinQueue);
        }
    }

    /** Listing 7, step 3; listing 8, step 5. */
    private void enterMainRow() {
        mainCellMayBeThere = true;
        steps.step(() -> place().writer().write(place().mainCell()), sentAt -> {
            mainCellWrittenAt = sentAt;
            lookAtMainRow();
        });
    }

    /**
     * Listing 7, steps 4 and 5; listing 8, steps 6 and 7. If the thread is alone and its cells certainly exist, it
     * holds the lock.
     */
    private void lookAtMainRow() {
        steps.step(() -> context.mainRow().read(lockId, "", 2), cells -> {
            if (cells.equals(List.of(threadId)) && ownCellsAreAlive()) {
                acquired();
            } else {
                leaveMainRow();
            }
        });
    }

    private boolean ownCellsAreAlive() {
        return context.ticker().nanos() - olderWrite()
                < context.settings().certain().toNanos();
    }

    private long olderWrite() {
        return Math.min(queueCellWrittenAt, mainCellWrittenAt);
    }

    /** Listing 7, step 7; listing 8, step 9. */
    private void leaveMainRow() {
        conflictSeen = true;
        steps.step(() -> place().writer().delete(place().mainCell()), done -> {
            mainCellMayBeThere = false;
            mainRowShared();
        });
    }

    private void acquired() {
        log.debug("Lock '{}': {} is alone in the main row and has the lock", lockId, threadId);
        CellLease lease = CellLease.hold(
                List.of(place().mainCell(), place().queueCell()), place().writer(), olderWrite(), NO_FENCING_TOKEN);
        if (!outcome.complete(Optional.of(lease))) {
            lease.release();
        }
    }

    /** Listing 8, steps 12 and 13. */
    void refuse() {
        leave().thenRun(() -> outcome.complete(Optional.empty()));
    }

    /**
     * Deletes the cells that may have been written, the main cell first. A cell that was never written is not deleted,
     * because tombstones slow reads.
     */
    private CompletionStage<Void> leave() {
        Place left = place;
        if (left == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletionStage<Void> mainRowLeft =
                mainCellMayBeThere ? left.writer().delete(left.mainCell()) : CompletableFuture.completedFuture(null);
        return mainRowLeft.thenCompose(done -> left.writer().delete(left.queueCell()));
    }

    private void leaveFor(Throwable reason) {
        leave();
        outcome.completeExceptionally(reason);
    }

    Steps steps() {
        return steps;
    }

    QueueAlgorithm.Context context() {
        return context;
    }

    String lockId() {
        return lockId;
    }

    private Place place() {
        if (place == null) {
            throw new IllegalStateException("no place in the queue of lock '" + lockId + "' yet");
        }
        return place;
    }
}
