package io.github.cassandralock.internal.store;

import java.time.Duration;
import java.util.Optional;

/**
 * A session's row. Other processes use the lease and the drift of this row, because their settings may differ from the owner's
 * settings.
 *
 * @param lease how long the owner relies on a renewal, before drift
 * @param clockDrift by how much the owner allows the rates of two clocks to differ, as a fraction (0.05: five percent)
 * @param owner host and process of the owner, for people
 * @param contact where the session receives notices; empty if it exchanges none
 */
public record SessionRow(
        SessionState state, Duration lease, double clockDrift, String owner, Optional<Contact> contact) {

    /** Returns the row of a session that is alive and exchanges no notices. */
    public static SessionRow alive(Beat beat, Duration lease, double clockDrift, String owner) {
        return new SessionRow(new SessionState(beat, true), lease, clockDrift, owner, Optional.empty());
    }

    /** This row with this contact. */
    public SessionRow with(Optional<Contact> published) {
        return new SessionRow(state, lease, clockDrift, owner, published);
    }
}
