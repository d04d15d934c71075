package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.SessionInfo;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the state of locks and sessions from the store. Writes nothing. Thread-safe; no method blocks. */
public interface LockInspection {

    /** How many sessions {@link #sessions()} returns at most. */
    int MOST_SESSIONS = 500;

    /** Reads who holds this lock and who waits for it. Completes exceptionally if it could not be read. */
    CompletionStage<LockState> inspect(String lockId);

    /**
     * Lists locks that are held or waited for, by a scan of the table.
     *
     * @param idPrefix with which the ids begin
     * @param page the next page of an earlier answer; empty for the first one
     * @return completes exceptionally if they could not be read
     * @throws IllegalArgumentException if there is no such page
     * @throws UnsupportedOperationException if the algorithm cannot list locks
     */
    default CompletionStage<LockPage> list(String idPrefix, String page) {
        throw new UnsupportedOperationException(
                "Locks are listed with the algorithm 'ticket' only. Look at one lock by its id instead, or move all instances to"
                        + " 'ticket', in the steps of docs/guide/moving.md");
    }

    /**
     * Reads the sessions of all processes, at most {@link #MOST_SESSIONS}, by one scan of a small table. Empty if the algorithm has
     * no sessions. Completes exceptionally if they could not be read.
     */
    default CompletionStage<List<SessionInfo>> sessions() {
        return CompletableFuture.completedFuture(List.of());
    }

    /** The id of this process's session, if one is open. */
    default Optional<UUID> ownSession() {
        return Optional.empty();
    }
}
