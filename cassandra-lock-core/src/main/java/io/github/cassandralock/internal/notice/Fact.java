package io.github.cassandralock.internal.notice;

import java.util.OptionalLong;
import java.util.UUID;

/**
 * What is known for ever about one session's attempts for one lock (notices, section 1). The two numbers belong together: a
 * fact is never made of the numbers of two.
 *
 * @param session whose attempts
 * @param attempt every attempt of the session with a lower number is over: it holds nothing, and will not
 * @param ticket if present, the session promised that this attempt begins with RETICKET and has this ticket; if empty, the
 *     session's next attempt begins with W1, whatever its number
 */
public record Fact(UUID session, long attempt, OptionalLong ticket) {

    /** The session's next attempt begins with W1. */
    public static Fact over(UUID session, long attempt) {
        return new Fact(session, attempt, OptionalLong.empty());
    }

    /** The session's attempt of this number begins with RETICKET and has this ticket. */
    public static Fact promised(UUID session, long attempt, long ticket) {
        return new Fact(session, attempt, OptionalLong.of(ticket));
    }

    /** Whether this one says all that the other says, or more. Both are about one session. */
    public boolean covers(Fact other) {
        return attempt > other.attempt || (attempt == other.attempt && (ticket.isEmpty() || other.ticket.isPresent()));
    }
}
