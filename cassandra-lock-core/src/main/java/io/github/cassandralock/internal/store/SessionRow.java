package io.github.cassandralock.internal.store;

import java.time.Duration;

/**
 * A session's row. Others judge the session by the lease and the drift in it, which are its owner's: their own may differ.
 *
 * @param lease for how long the owner counts on a renewal, before drift
 * @param clockDrift by how much the owner allows the rates of two clocks to differ, as a fraction (0.05: five percent)
 * @param owner host, process and the like, for people
 */
public record SessionRow(SessionState state, Duration lease, double clockDrift, String owner) {

    /** The row of a session that is alive. */
    public static SessionRow alive(Beat beat, Duration lease, double clockDrift, String owner) {
        return new SessionRow(new SessionState(beat, true), lease, clockDrift, owner);
    }
}
