package io.github.cassandralock.internal.session;

import java.util.UUID;

/** Hears of another process's session. Called on a thread that must not be blocked. */
public interface SessionObserver {

    /** It is dead for ever: what it left behind may be evicted. Told once, and nothing after it. */
    void dead(DeadSession session);

    /** The session is not watched any more, because timers failed. An observer that still waits joins again. */
    default void unwatched(UUID session) {}

    /** It has been renewed since it was first looked at. */
    default void renewed(UUID session) {}
}
