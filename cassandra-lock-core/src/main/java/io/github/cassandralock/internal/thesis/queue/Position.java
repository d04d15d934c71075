package io.github.cassandralock.internal.thesis.queue;

import java.util.List;

/** The place of a thread in the queue, as one read showed it. */
sealed interface Position {

    /** The thread is first: it is its turn to try the main row. */
    record First() implements Position {}

    /**
     * Other threads are ahead.
     *
     * @param head the first cell of the queue
     * @param ahead how many threads are ahead, at least: a read has a limit
     */
    record Behind(String head, int ahead) implements Position {}

    /** The thread's own cell is missing: it has expired. */
    record Gone() implements Position {}

    /**
     * Finds a cell among the first cells of the queue.
     *
     * @param complete whether the queue has no further cells
     */
    static Position of(String ownCell, List<String> cells, boolean complete) {
        int index = cells.indexOf(ownCell);
        if (index == 0) {
            return new First();
        }
        if (index > 0) {
            return new Behind(cells.get(0), index);
        }
        return complete ? new Gone() : new Behind(cells.get(0), cells.size());
    }
}
