package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.internal.deadlock.DeadlockDetector;
import io.github.cassandralock.internal.deadlock.DeadlockSettings;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.ticket.handle.OwnedLocks;

/**
 * What the search for deadlocks needs of this process. There is no such object if the search is switched off.
 *
 * @param process host and process, for people
 */
public record Deadlocks(DeadlockDetector detector, OwnedLocks owned, String process) {

    /**
     * Begins a search.
     *
     * @param waits where waits are published
     */
    public static Deadlocks of(WaitStore waits, SlotStore slots, SessionContext sessions, DeadlockSettings settings) {
        return new Deadlocks(
                new DeadlockDetector(waits, slots, sessions, settings), new OwnedLocks(), sessions.owner());
    }
}
