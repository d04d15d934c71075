package io.github.cassandralock.internal.inspect;

import java.util.List;
import java.util.Map;

/**
 * The locks that callers in this process hold and wait for.
 *
 * @param held the longest hold first; at most {@link #MOST}
 * @param heldCount how many are held
 * @param waiting the longest wait first; at most {@link #MOST}
 * @param waitingCount how many calls wait
 */
public record LocalLocks(
        List<LocalLock> held, int heldCount, List<LocalLock> waiting, int waitingCount, LockFigures figures) {

    /** How many locks, and how many waiting calls, are listed at most. */
    public static final int MOST = 1_000;

    /** No lock is held, and nothing has happened. */
    public static final LocalLocks NONE =
            new LocalLocks(List.of(), 0, List.of(), 0, new LockFigures(0, 0, Map.of(), 0, 0));
}
