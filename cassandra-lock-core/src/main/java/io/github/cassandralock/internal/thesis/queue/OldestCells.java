package io.github.cassandralock.internal.thesis.queue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores from which cell each queue must be read. This only saves time: without an entry, a read begins at the start of the row.
 * Therefore only the entries that were used last are kept. Thread-safe.
 */
final class OldestCells {

    /**
     * @param from the cell name from which the next read may begin
     * @param fullReadAt monotonic time of the last read from the beginning of the row
     */
    record Mark(String from, long fullReadAt) {}

    private static final int REMEMBERED = 1_000;

    private final Map<String, Mark> marks = Collections.synchronizedMap(new RecentlyUsed());

    @Nullable
    Mark get(String lockId) {
        return marks.get(lockId);
    }

    void put(String lockId, Mark mark) {
        marks.put(lockId, mark);
    }

    private static final class RecentlyUsed extends LinkedHashMap<String, Mark> {

        private static final long serialVersionUID = 1L;

        RecentlyUsed() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Mark> eldest) {
            return size() > REMEMBERED;
        }
    }
}
