package io.github.cassandralock.internal.thesis.queue;

import io.github.cassandralock.internal.thesis.lease.CellAttempt;
import io.github.cassandralock.internal.thesis.lease.CellWriter;
import io.github.cassandralock.spi.AcquireRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread's attempt to take the lock. GetLock (thesis, listing 7) waits in the queue without a limit of its own. TryGetLock (listing
 * 8) is refused if another thread holds the lock or is ahead in the queue.
 */
final class QueueAttempt extends CellAttempt {

    /*
     * Listing 8 repeats steps 4 to 10 until the main row is free. If the other thread in the main row holds the lock, this would
     * be a wait for the lock. The other thread may have passed the queue before this thread's cell, with an earlier time, was
     * written. Therefore a limit ends the repetition. If several threads try at one time, the first in the queue still gets the
     * lock. The others have to leave the main row within the limit (theorem 4), which takes two operations.
     */

    static final String ALGORITHM = "queue";

    private static final Logger log = LoggerFactory.getLogger(QueueAttempt.class);
    private static final int MOST_DOUBLINGS = 16;

    private final QueueContext context;
    private final QueuePollInterval pollInterval;
    private @Nullable Place place;
    private boolean conflictSeen;

    /** In the main row, since the thread was last behind another one. */
    private int conflicts;

    /** The last logged position. */
    private @Nullable Position lastPosition;

    /** The cells of a thread that has a time of arrival. */
    private record Place(OwnCell mainCell, OwnCell queueCell) {}

    QueueAttempt(QueueContext context, AcquireRequest request) {
        super(ALGORITHM, context.cells(), request);
        this.context = context;
        this.pollInterval = new QueuePollInterval(context.poll());
    }

    /** Listing 8, steps 1 and 2; listing 7 has no such steps. */
    @Override
    protected void begin() {
        if (waits()) {
            arrive();
            return;
        }
        steps().step(() -> cells().mainRow().read(lockId(), "", 1), holders -> {
            if (holders.isEmpty()) {
                arrive();
            } else {
                refuse();
            }
        });
    }

    /** Listing 6: the name of the thread's cell begins with the time of its arrival. */
    private void arrive() {
        steps().step(() -> context.time().now(), arrival -> {
            String name = new QueueCell(arrival, threadId()).name();
            CellWriter writer = new CellWriter(cells(), arrival);
            place = new Place(
                    ownCell(writer, cells().mainRow(), threadId()),
                    ownCell(writer, context.queue().store(), name));
            log.debug("Lock '{}': {} has its place in the queue: {}", lockId(), threadId(), name);
            joinQueue();
        });
    }

    /** Listing 7, step 1; listing 8, step 3. Repeated when half of the lease has passed. */
    private void joinQueue() {
        place().queueCell().write(this::lookAtQueue);
    }

    /** Listing 7, step 2; listing 8, step 4. */
    private void lookAtQueue() {
        OwnCell queueCell = place().queueCell();
        if (cells().ticker().nanos() - queueCell.writtenAt()
                >= cells().settings().renewal().toNanos()) {
            joinQueue();
            return;
        }
        steps().step(
                        () -> conflictSeen
                                ? context.queue().lookFromTheBeginning(lockId(), queueCell.name())
                                : context.queue().look(lockId(), queueCell.name()),
                        this::placed);
    }

    private void placed(Position position) {
        if (!position.equals(lastPosition)) {
            lastPosition = position;
            log.debug("Lock '{}': {} is in the queue: {}", lockId(), threadId(), position);
        }
        if (position instanceof Position.First) {
            place().mainCell().write(this::lookAtMainRow);
        } else if (position instanceof Position.Behind behind) {
            behind(behind);
        } else {
            steps().pauseThen(context.poll().min(), this::joinQueue);
        }
    }

    private void behind(Position.Behind position) {
        if (waits()) {
            conflicts = 0;
            steps().pauseThen(pollInterval.pause(position, cells().ticker().nanos()), this::lookAtQueue);
        } else {
            refuse();
        }
    }

    /**
     * Listing 7, steps 4 and 5; listing 8, steps 6 and 7. If the thread is alone and its cells certainly exist, it
     * holds the lock.
     */
    private void lookAtMainRow() {
        steps().step(() -> cells().mainRow().read(lockId(), "", 2), cells -> {
            OwnCell mainCell = place().mainCell();
            OwnCell queueCell = place().queueCell();
            if (cells.equals(List.of(threadId())) && mainCell.isCertain() && queueCell.isCertain()) {
                log.debug("Lock '{}': {} is alone in the main row and has the lock", lockId(), threadId());
                acquired(mainCell, queueCell);
            } else {
                conflictSeen = true;
                mainCell.delete(this::mainRowShared);
            }
        });
    }

    /**
     * Listing 7, step 7; listing 8, step 9. Threads that wait and meet in the main row pause for random times. Otherwise they
     * would meet there every time.
     */
    private void mainRowShared() {
        if (waits()) {
            conflicts = Math.min(conflicts + 1, MOST_DOUBLINGS);
            long upTo = context.poll().min().toNanos() << conflicts;
            steps().pauseThen(context.poll().clamp(cells().random().nextLong(upTo)), this::lookAtQueue);
        } else if (isConflictTooLong()) {
            refuse();
        } else {
            steps().pauseThen(context.poll().min(), this::lookAtQueue);
        }
    }

    private Place place() {
        if (place == null) {
            throw new IllegalStateException("no place in the queue of lock '" + lockId() + "' yet");
        }
        return place;
    }
}
