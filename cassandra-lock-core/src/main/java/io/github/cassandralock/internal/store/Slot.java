package io.github.cassandralock.internal.store;

import io.github.cassandralock.LockMode;
import java.util.UUID;

/**
 * One row in a lock's partition. Always written as a whole.
 *
 * @param id its session, which owns it, and its number
 * @param attempt names one acquisition with this slot; a later one has a higher number
 * @param phase how far that acquisition has come
 * @param mode how the session wants or holds the lock
 * @param ticket its place in the queue; 0 while it has none
 */
public record Slot(SlotId id, long attempt, SlotPhase phase, LockMode mode, long ticket) {

    /** Its owner. */
    public UUID session() {
        return id.session();
    }
}
