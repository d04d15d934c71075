package io.github.cassandralock.spi;

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
     * Inserts a session that is alive, with beat 0.
     *
     * @param owner host, process and the like, for people
     * @param ttl after which the row ceases to exist unless it is renewed
     */
    CompletionStage<CasOutcome> open(UUID session, String owner, Duration ttl);

    /** Raises the beat by one and rewrites the whole row, if the session is alive with exactly this beat. */
    CompletionStage<CasOutcome> renew(UUID session, long beat, String owner, Duration ttl);

    /** Declares a session dead, if it has exactly this beat. */
    CompletionStage<CasOutcome> declareDead(UUID session, long beat, Duration ttl);

    /**
     * The row as of now; empty if there is none. What an unknown operation did shows here, unless it arrives later.
     * Completes exceptionally if it could not be read.
     */
    CompletionStage<Optional<SessionRow>> read(UUID session);
}
