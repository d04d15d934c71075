package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.QueueEntry.Place;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Shows locks of the algorithm {@code shadow}, by one read of the main row and one of the shadow row. The algorithm has neither a
 * queue nor sessions nor tokens. Threads that sleep between two attempts have no cell, and are not shown.
 *
 * @param thisProcess what thread ids of this process begin with
 */
public record ShadowInspection(CellStore shadowRow, CellStore mainRow, String thisProcess) implements LockInspection {

    @Override
    public CompletionStage<LockState> inspect(String lockId) {
        return mainRow.read(lockId, "", 1)
                .thenCompose(holders -> shadowRow
                        .read(lockId, "", LockState.MAX_ENTRIES + 1)
                        .thenApply(competing -> state(lockId, holders, competing)));
    }

    private LockState state(String lockId, List<String> holders, List<String> competing) {
        return LockState.withoutSessions(
                lockId,
                "shadow",
                holders.stream().map(holder -> entry(Place.HOLDER, holder)).findFirst(),
                competing.stream()
                        .filter(thread -> !holders.contains(thread))
                        .map(thread -> entry(Place.COMPETING, thread))
                        .toList());
    }

    private QueueEntry entry(Place place, String threadId) {
        return QueueEntry.ofThread(place, threadId, Optional.empty(), thisProcess);
    }
}
