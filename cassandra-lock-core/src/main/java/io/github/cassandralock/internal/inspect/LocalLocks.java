package io.github.cassandralock.internal.inspect;

import java.util.List;

/**
 * What callers in this process hold and wait for.
 *
 * @param held those held for longest first; at most {@link #MOST}
 * @param heldCount how many are held
 * @param waiting those that have waited for longest first; at most {@link #MOST}
 * @param waitingCount how many calls wait
 */
public record LocalLocks(
        List<LocalLock> held, int heldCount, List<LocalLock> waiting, int waitingCount, LockFigures figures) {

    /** So many locks, and so many calls that wait, are listed at most. */
    public static final int MOST = 1_000;

    /** Nothing is held, and nothing has happened. */
    public static final LocalLocks NONE = new LocalLocks(List.of(), 0, List.of(), 0, new LockFigures(0, 0, 0, 0, 0, 0));
}
