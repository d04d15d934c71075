package io.github.cassandralock.internal.store;

import io.github.cassandralock.LockMode;
import java.util.List;

/**
 * How one call waits, and what its owner holds meanwhile (lock modes, section 7).
 *
 * @param owner for people
 * @param process host and process of the owner, for people
 * @param lockId the lock for which the call waits
 * @param mode how it is to be held; of a conversion, the mode of its slot
 * @param waitsAs the least mode that conflicts with all that the call waits for: the same mode, unless it waits inside its process
 *     behind calls in other modes
 * @param slot the number of the slot with which it waits; of a call that waits inside its process, of the one that it comes after;
 *     {@link #NONE} if that is not known
 * @param attempt with that slot; {@link #NONE} if the call waits inside its process and has no slot of its own
 * @param ticket of the slot; 0 while it has none
 * @param arrival its place among the calls of its process for the lock
 * @param comesAfter the places of the calls of its process that it waits for, because it has no slot yet; of those, only calls whose
 *     owners hold locks
 * @param converts the number of the handle that is converted; {@link #NONE} if it is not a conversion
 * @param convertsFrom the mode of that handle; NULL if it is not a conversion
 * @param held the locks of the owner, in the order of their numbers
 */
public record WaitingCall(
        String owner,
        String process,
        String lockId,
        LockMode mode,
        LockMode waitsAs,
        int slot,
        long attempt,
        long ticket,
        long arrival,
        List<Long> comesAfter,
        long converts,
        LockMode convertsFrom,
        List<HeldLock> held) {

    /** In place of a number: there is none. */
    public static final int NONE = -1;

    public WaitingCall {
        comesAfter = List.copyOf(comesAfter);
        held = List.copyOf(held);
    }

    public boolean isConversion() {
        return converts != NONE;
    }

    /** Whether it waits with a slot of its own. */
    public boolean hasSlot() {
        return attempt != NONE;
    }
}
