package io.github.cassandralock.internal.session;

import java.util.UUID;

/** Receives the events of a session of another process. Its methods run on a thread that must not be blocked. */
public interface SessionObserver {

    /** The session is dead, which is final, so its slots may be evicted. This is the last call for this session. */
    void dead(DeadSession session);

    /** The watch has ended, because a timer failed. An observer that still waits for the session must join again. */
    default void unwatched(UUID session) {}

    /** A read has shown a new renewal of the session. */
    default void renewed(UUID session) {}
}
