package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.SessionObserver;
import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Sees to it that a later tryGetLock finds the lock free if a session that has it now has crashed: evicts its slot when it
 * is found to be dead, and loses interest when it is found to be alive. Equal for equal locks, so that asking again and
 * again costs no more than asking once.
 *
 * @param own this process's session, which needs no watch
 */
record BackgroundEviction(SessionWatch watch, Eviction eviction, UUID own) implements SessionObserver {

    /**
     * Where one has crashed, more may have, which were not among the first that are watched: all that are left are looked at
     * now, once. If the eviction fails, the next tryGetLock begins anew.
     */
    @Override
    public void dead(DeadSession session) {
        eviction.of(session, OptionalLong.empty())
                .thenAccept(left -> left.stream()
                        .filter(slot -> slot.phase() != SlotPhase.IDLE
                                && !slot.session().equals(own))
                        .forEach(slot -> watch.join(slot.session(), this)));
    }

    @Override
    public void renewed(UUID session) {
        watch.leave(session, this);
    }
}
