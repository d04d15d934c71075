package io.github.cassandralock.internal.store;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The sessions' rows (protocol, sections 1 and 4). Every operation is linearizable, so each is one round of consensus: for
 * what happens once per lease interval, never for what happens once per lock. Operations are not idempotent and never
 * repeated by the store. Thread-safe; nothing here blocks.
 */
public interface SessionStore {

    /**
     * Inserts the row of a session that is alive, unless there is a row of that id.
     *
     * @param ttl after which the row ceases to exist unless it is renewed
     */
    CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl);

    /**
     * Replaces the whole row, if the session is alive and its last beat is exactly this one.
     *
     * @param last the beat before the renewal
     * @param row with the beat of the renewal
     */
    CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl);

    /** Declares a session dead, if it is alive and its last beat is exactly this one. */
    CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl);

    /**
     * The row as of now; empty if there is none. What an unknown operation did shows here, unless it arrives later.
     * Completes exceptionally if it could not be read.
     */
    CompletionStage<Optional<SessionRow>> read(UUID session);
}
