package io.github.cassandralock.internal.thesis.queue;

import io.github.cassandralock.internal.thesis.lease.Cell;
import io.github.cassandralock.internal.thesis.lease.CellAttempt;
import io.github.cassandralock.internal.thesis.lease.CellWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread's attempt to take the lock: the steps that listings 7 and 8 of the thesis have in common. */
abstract class QueueAttempt extends CellAttempt {

    static final String ALGORITHM = "queue";

    private static final Logger log = LoggerFactory.getLogger(QueueAttempt.class);

    private final QueueContext context;
    private @Nullable Place place;
    private long queueCellWrittenAt;
    private long mainCellWrittenAt;
    private boolean mainCellMayBeThere;
    private boolean conflictSeen;

    /** What the log says last. */
    private @Nullable Position lastPosition;

    /** The cells of a thread whose time of arrival is known. */
    private record Place(Cell queueCell, Cell mainCell, CellWriter writer) {}

    QueueAttempt(QueueContext context, String lockId, String threadId, Duration patience) {
        super(ALGORITHM, context.cells(), lockId, threadId, patience);
        this.context = context;
    }

    /** The thread is in the queue, behind another one. */
    abstract void behind(Position.Behind position);

    /** The thread was first in the queue, but not alone in the main row, and has left it again. */
    abstract void mainRowShared();

    /** Listing 6: the name of the thread's cell begins with the time of its arrival. */
    void arrive() {
        steps().step(() -> context.time().now(), arrival -> {
            QueueCell name = new QueueCell(arrival, threadId());
            place = new Place(
                    new Cell(context.queue().store(), lockId(), name.name()),
                    new Cell(cells().mainRow(), lockId(), threadId()),
                    new CellWriter(cells(), arrival));
            log.debug("Lock '{}': {} has its place in the queue: {}", lockId(), threadId(), name.name());
            joinQueue();
        });
    }

    /** Listing 7, step 1; listing 8, step 3. Repeated when half of the lease has passed. */
    private void joinQueue() {
        steps().step(() -> place().writer().write(place().queueCell()), sentAt -> {
            queueCellWrittenAt = sentAt;
            lookAtQueue();
        });
    }

    /** Listing 7, step 2; listing 8, step 4. */
    void lookAtQueue() {
        if (cells().ticker().nanos() - queueCellWrittenAt
                >= cells().settings().renewal().toNanos()) {
            joinQueue();
            return;
        }
        String ownCell = place().queueCell().name();
        steps().step(
                        () -> conflictSeen
                                ? context.queue().lookFromTheBeginning(lockId(), ownCell)
                                : context.queue().look(lockId(), ownCell),
                        this::placed);
    }

    private void placed(Position position) {
        if (!position.equals(lastPosition)) {
            lastPosition = position;
            log.debug("Lock '{}': {} is in the queue: {}", lockId(), threadId(), position);
        }
        if (position instanceof Position.First) {
            enterMainRow();
        } else if (position instanceof Position.Behind behind) {
            behind(behind);
        } else {
            steps().pauseThen(context.poll().min(), this::joinQueue);
        }
    }

    /** Listing 7, step 3; listing 8, step 5. */
    private void enterMainRow() {
        mainCellMayBeThere = true;
        steps().step(() -> place().writer().write(place().mainCell()), sentAt -> {
            mainCellWrittenAt = sentAt;
            lookAtMainRow();
        });
    }

    /**
     * Listing 7, steps 4 and 5; listing 8, steps 6 and 7. If the thread is alone and its cells certainly exist, it
     * holds the lock.
     */
    private void lookAtMainRow() {
        steps().step(() -> cells().mainRow().read(lockId(), "", 2), cells -> {
            if (cells.equals(List.of(threadId())) && isCertain(olderWrite())) {
                won();
            } else {
                leaveMainRow();
            }
        });
    }

    private long olderWrite() {
        return Math.min(queueCellWrittenAt, mainCellWrittenAt);
    }

    /** Listing 7, step 7; listing 8, step 9. */
    private void leaveMainRow() {
        conflictSeen = true;
        steps().step(() -> place().writer().delete(place().mainCell()), done -> {
            mainCellMayBeThere = false;
            mainRowShared();
        });
    }

    private void won() {
        log.debug("Lock '{}': {} is alone in the main row and has the lock", lockId(), threadId());
        acquired(List.of(place().mainCell(), place().queueCell()), place().writer(), olderWrite());
    }

    /** The main cell is deleted first. */
    @Override
    protected CompletionStage<Void> deleteCells() {
        Place own = place;
        if (own == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletionStage<Void> mainCellDeleted =
                mainCellMayBeThere ? own.writer().delete(own.mainCell()) : CompletableFuture.completedFuture(null);
        return mainCellDeleted.thenCompose(done -> own.writer().delete(own.queueCell()));
    }

    QueueContext context() {
        return context;
    }

    private Place place() {
        if (place == null) {
            throw new IllegalStateException("no place in the queue of lock '" + lockId() + "' yet");
        }
        return place;
    }
}
