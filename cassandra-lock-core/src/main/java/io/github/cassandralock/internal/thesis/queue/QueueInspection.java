package io.github.cassandralock.internal.thesis.queue;

import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.QueueEntry.Place;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Shows locks of the algorithm {@code queue}, by one read of the main row and one of the queue. The algorithm has neither
 * sessions nor tokens. The holder is the first in the queue whose cell is the only one in the main row.
 *
 * @param wallClock is compared with times of arrival, to show for how long threads wait
 * @param thisProcess what thread ids of this process begin with
 */
public record QueueInspection(CellStore queue, CellStore mainRow, WallClock wallClock, String thisProcess)
        implements LockInspection {

    private static final int MOST_CELLS = LockState.MAX_ENTRIES + 1;

    @Override
    public CompletionStage<LockState> inspect(String lockId) {
        return mainRow.read(lockId, "", 2)
                .thenCompose(holders ->
                        queue.read(lockId, "", MOST_CELLS).thenApply(cells -> state(lockId, holders, cells)));
    }

    private LockState state(String lockId, List<String> holders, List<String> cells) {
        Optional<String> holder = holders.size() == 1 ? Optional.of(holders.get(0)) : Optional.empty();
        Optional<QueueEntry> holding = Optional.empty();
        List<QueueEntry> waiting = new ArrayList<>();
        for (String cell : cells) {
            QueueCell arrived = QueueCell.of(cell);
            if (holder.filter(arrived.threadId()::equals).isPresent()) {
                holding = Optional.of(entry(Place.HOLDER, arrived));
            } else {
                waiting.add(entry(Place.WAITING, arrived));
            }
        }
        return LockState.withoutSessions(lockId, "queue", holding, waiting);
    }

    private QueueEntry entry(Place place, QueueCell cell) {
        Duration age = Duration.of(Math.max(0, wallClock.readMicros() - cell.micros()), ChronoUnit.MICROS);
        return QueueEntry.ofThread(place, cell.threadId(), Optional.of(age), thisProcess);
    }
}
