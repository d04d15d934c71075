package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.inspect.SessionInfo;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** Reads the rows of slots and sessions for people: at quorum, without a round of consensus. Thread-safe; no method blocks. */
public interface InspectionStore {

    /** The slots of one lock. Completes exceptionally if they could not be read. */
    CompletionStage<InspectedSlots> slots(String lockId);

    /**
     * Reads ids of locks of this application, by a scan of a part of the table. A lock of which only a value or a token is left may be
     * there.
     *
     * @param part the next part of an earlier answer; empty for the first one
     * @param most how many ids are read, including ids of other applications
     * @throws IllegalArgumentException if there is no such part
     */
    CompletionStage<LockIds> lockIds(String part, int most);

    /** The sessions among these that have a row. None is marked as this process's. */
    CompletionStage<List<SessionInfo>> sessions(Collection<UUID> ids);

    /** Any sessions that have a row, at most so many. None is marked as this process's. */
    CompletionStage<List<SessionInfo>> anySessions(int most);
}
