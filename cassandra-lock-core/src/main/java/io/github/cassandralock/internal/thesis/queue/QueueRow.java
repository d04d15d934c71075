package io.github.cassandralock.internal.thesis.queue;

import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.time.Ticker;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Reads the queue without reading the tombstones at its beginning every time. Thread-safe. */
final class QueueRow {

    /*
     * Every release leaves a tombstone, and cells sort by arrival, so tombstones gather at the beginning of the row. Reads
     * therefore begin shortly before the oldest cell that the last read showed. If a thread is delayed after it has taken its
     * time of arrival, its cell may sort before that. The thread itself always sees its cell. Other threads see it with their
     * next read from the beginning. They make such a read every second. After a conflict in the main row, all their reads are
     * from the beginning. Mutual exclusion does not depend on the queue, only on the main row.
     */

    private static final int LOOK_AHEAD = 64;
    private static final long LATE_ARRIVAL_MICROS = 2_000_000;
    private static final long FULL_READ_INTERVAL_NANOS = 1_000_000_000;

    /** How many queues have a mark: the ones that were used last. */
    private static final int MARKED = 1_000;

    private final CellStore store;
    private final Ticker ticker;

    /** By lock id. This only saves time: without a mark, a read begins at the start of the row. */
    private final Map<String, Mark> marks = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Mark> eldest) {
            return size() > MARKED;
        }
    });

    /**
     * From which cell a queue must be read.
     *
     * @param from the cell name from which the next read may begin
     * @param fullReadAt monotonic time of the last read from the beginning of the row
     */
    private record Mark(String from, long fullReadAt) {}

    QueueRow(CellStore store, Ticker ticker) {
        this.store = store;
        this.ticker = ticker;
    }

    CellStore store() {
        return store;
    }

    /** Finds the place of the cell. Reads from shortly before the oldest cell that was seen. */
    CompletionStage<Position> look(String lockId, String ownCell) {
        Mark mark = marks.get(lockId);
        if (mark == null || ticker.nanos() - mark.fullReadAt() >= FULL_READ_INTERVAL_NANOS) {
            return lookFromTheBeginning(lockId, ownCell);
        }
        String from = mark.from().compareTo(ownCell) < 0 ? mark.from() : ownCell;
        return look(lockId, ownCell, from, mark.fullReadAt());
    }

    /** Finds the place of the cell. Reads the whole row, including cells that were written late. */
    CompletionStage<Position> lookFromTheBeginning(String lockId, String ownCell) {
        return look(lockId, ownCell, "", ticker.nanos());
    }

    private CompletionStage<Position> look(String lockId, String ownCell, String from, long fullReadAt) {
        return store.read(lockId, from, LOOK_AHEAD).thenApply(cells -> {
            if (!cells.isEmpty()) {
                long oldest = QueueCell.arrivalOf(cells.get(0));
                String nextFrom = QueueCell.firstNameAt(oldest - LATE_ARRIVAL_MICROS);
                marks.put(lockId, new Mark(nextFrom, fullReadAt));
            }
            return Position.of(ownCell, cells, cells.size() < LOOK_AHEAD);
        });
    }
}
