package io.github.cassandralock.ticket;

import io.github.cassandralock.session.DeadSession;
import io.github.cassandralock.session.SessionObserver;
import io.github.cassandralock.session.SessionWatch;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Sees to it that a later tryGetLock finds the lock free if a session that has it now has crashed: evicts its slot when it
 * is found to be dead, and loses interest when it is found to be alive. Equal for equal locks, so that asking again and
 * again costs no more than asking once.
 */
record BackgroundEviction(SessionWatch watch, Eviction eviction) implements SessionObserver {

    /** If it fails, the next tryGetLock begins anew. */
    @Override
    public void dead(DeadSession session) {
        eviction.of(session, OptionalLong.empty());
    }

    @Override
    public void renewed(UUID session) {
        watch.leave(session, this);
    }
}
