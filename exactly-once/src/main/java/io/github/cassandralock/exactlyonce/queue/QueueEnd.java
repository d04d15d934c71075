package io.github.cassandralock.exactlyonce.queue;

/**
 * The end of a queue, as reads of its cells show it. A full cell is final. An absent cell is a hint, since a read may be old.
 * Thread-safe. Methods block and do I/O.
 */
final class QueueEnd {

    /** How far behind an absent cell the lag searches a message. */
    private static final long FARTHEST_BEHIND_A_HOLE = 1_024;

    private final String queue;
    private final Layout layout;
    private final Cells cells;

    QueueEnd(String queue, Layout layout, Cells cells) {
        this.queue = queue;
        this.layout = layout;
        this.cells = cells;
    }

    /**
     * Finds the first absent cell by steps that double and then halve. No producer leaves a hole below a full cell.
     *
     * @param from below which all cells are full
     */
    long firstAbsent(long from) throws InterruptedException {
        long step = 1;
        while (!(cells.get(from + step - 1) instanceof Cell.Absent)) {
            step *= 2;
        }
        long full = step / 2;
        long absent = step;
        while (absent - full > 1) {
            long middle = full + (absent - full) / 2;
            if (cells.get(from + middle - 1) instanceof Cell.Absent) {
                absent = middle;
            } else {
                full = middle;
            }
        }
        return from + full;
    }

    /** Counts the messages that follow, including messages behind a hole, and the hole. */
    long lagBehind(long index) throws InterruptedException {
        long end = firstAbsent(index);
        long hole = end;
        for (long step = 1; step <= FARTHEST_BEHIND_A_HOLE && layout.mayWrite(hole + step, index); step *= 2) {
            if (!(cells.get(hole + step) instanceof Cell.Absent)) {
                end = hole + step;
            }
        }
        return (end == hole ? end : firstAbsent(end)) - index;
    }

    /** Checks that the message before an index is there, which a consumer has taken. An absence that a read shows is confirmed. */
    void requireReached(String consumer, long index) throws InterruptedException {
        if (index > 0 && !cells.isFilled(index - 1)) {
            throw new MismatchedStoresException(
                    "Queue " + queue + " has no message at index " + (index - 1) + ", which "
                            + consumer
                            + " has taken: the queue's store was restored from a backup, or has forgotten what it had"
                            + " acknowledged. Messages that are pushed now would be lost to " + consumer
                            + ". Begin again with new names for the queue and its consumers");
        }
    }
}
