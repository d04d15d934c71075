package io.github.cassandralock.internal.store;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The sessions' rows (protocol, sections 1 and 4). Every operation is linearizable, and so needs a round of consensus. The
 * operations are therefore used a few times per lease, and not for each lock. Changes are not idempotent, and the store never
 * repeats one. Thread-safe; no method blocks.
 */
public interface SessionStore {

    /**
     * Inserts the row of a live session, unless there is a row with that id.
     *
     * @param ttl the time after which the row expires unless it is renewed
     */
    CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl);

    /**
     * Replaces the row, if the session is alive and its last beat is exactly this beat.
     *
     * @param last the beat before the renewal
     * @param row the new row, with the beat of the renewal. If it has no contact, the present row's contact stays
     */
    CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl);

    /** Declares a session dead, and removes its secret, if it is alive and its last beat is exactly this beat. */
    CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl);

    /**
     * Reads the present row; empty if there is none. It shows the effect of an earlier operation with an unknown outcome, unless
     * that operation is applied later. Completes exceptionally if the row could not be read.
     */
    CompletionStage<Optional<SessionRow>> read(UUID session);
}
