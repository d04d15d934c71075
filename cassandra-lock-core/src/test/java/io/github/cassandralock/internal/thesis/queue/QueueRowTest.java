package io.github.cassandralock.internal.thesis.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class QueueRowTest {

    private static final long ARRIVAL = 1_700_000_000_000_000L;

    private final RecordingStore store = new RecordingStore();
    private long now = Duration.ofHours(1).toNanos();
    private final QueueRow queue = new QueueRow(store, () -> now);

    /** Stores from which cell each read begins. */
    private static final class RecordingStore implements CellStore {

        private final TreeSet<String> cells = new TreeSet<>();
        private final List<String> readsFrom = new ArrayList<>();

        @Override
        public CompletionStage<WriteOutcome> write(String lockId, String cell, long timestamp, int ttlSeconds) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<WriteOutcome> delete(String lockId, String cell, long timestamp) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<List<String>> read(String lockId, String fromCell, int limit) {
            readsFrom.add(fromCell);
            return CompletableFuture.completedFuture(
                    cells.tailSet(fromCell).stream().limit(limit).toList());
        }
    }

    private static String cell(long micros, String thread) {
        return new QueueCell(micros, thread).name();
    }

    private String arrived(long micros, String thread) {
        String cell = cell(micros, thread);
        store.cells.add(cell);
        return cell;
    }

    private Position look(String ownCell) {
        return queue.look("lock", ownCell).toCompletableFuture().join();
    }

    private Position lookFromTheBeginning(String ownCell) {
        return queue.lookFromTheBeginning("lock", ownCell).toCompletableFuture().join();
    }

    @Test
    void readsAfterTheFirstBeginNearTheOldestCellAndSkipTombstonesBeforeIt() {
        String own = arrived(ARRIVAL, "own");
        look(own);
        look(own);
        assertThat(store.readsFrom).hasSize(2).startsWith("");
        assertThat(store.readsFrom.get(1))
                .isGreaterThan(cell(ARRIVAL - 10_000_000, "long gone"))
                .isLessThan(own);
    }

    @Test
    void cellThatIsWrittenMillisecondsLateIsSeenAtOnce() {
        String own = arrived(ARRIVAL, "own");
        look(own);
        String late = arrived(ARRIVAL - 900_000, "late");
        assertThat(look(own)).isEqualTo(new Position.Behind(late, 1));
    }

    @Test
    void cellThatIsWrittenVeryLateIsSeenWithinASecondAndByItsOwnThreadAtOnce() {
        String own = arrived(ARRIVAL, "own");
        look(own);
        String veryLate = arrived(ARRIVAL - 60_000_000, "very late");
        assertThat(look(own)).as("from near the oldest cell").isEqualTo(new Position.First());
        assertThat(look(veryLate)).as("as it sees itself").isEqualTo(new Position.First());
        now += Duration.ofSeconds(1).toNanos();
        assertThat(look(own)).as("a second later").isEqualTo(new Position.Behind(veryLate, 1));
    }

    @Test
    void readAfterAConflictShowsAllCells() {
        String own = arrived(ARRIVAL, "own");
        look(own);
        String veryLate = arrived(ARRIVAL - 60_000_000, "very late");
        assertThat(lookFromTheBeginning(own)).isEqualTo(new Position.Behind(veryLate, 1));
    }

    @Test
    void threadWhoseCellHasExpiredIsGone() {
        arrived(ARRIVAL, "other");
        assertThat(look(cell(ARRIVAL + 5, "own"))).isEqualTo(new Position.Gone());
    }
}
