package io.github.cassandralock.internal.store;

import io.github.cassandralock.LockMode;
import java.util.List;

/**
 * How one call waits, and what its owner holds meanwhile (lock modes, section 7).
 *
 * @param owner for people
 * @param process host and process of the owner, for people
 * @param lockId the lock for which the call waits
 * @param mode the requested mode; of a conversion, the mode of its slot
 * @param waitsAs the least mode that conflicts with all that the call waits for. It is {@code mode}, unless the call waits inside
 *     its process behind calls in other modes
 * @param permits the least number of permits of all requests for which the call waits inside its process, and of its own. It is 1
 *     without permits
 * @param slot the number of the slot with which it waits. For a call that waits inside its process, the number of the first slot
 *     in its way; {@link #NONE} if unknown
 * @param attempt with that slot; {@link #NONE} if the call waits inside its process and has no slot of its own
 * @param ticket of the slot; 0 while it has none
 * @param converts the number of the handle that is converted; {@link #NONE} if it is not a conversion
 * @param convertsFrom the mode of that handle; NULL if it is not a conversion
 * @param held locks of the owner
 */
public record WaitingCall(
        String owner,
        String process,
        String lockId,
        LockMode mode,
        LockMode waitsAs,
        int permits,
        int slot,
        long attempt,
        long ticket,
        long converts,
        LockMode convertsFrom,
        List<PublishedHold> held) {

    /** The value of a number that does not exist. */
    public static final int NONE = -1;

    public WaitingCall {
        held = List.copyOf(held);
    }

    public boolean isConversion() {
        return converts != NONE;
    }

    /** Whether it waits with a slot of its own. */
    public boolean hasSlot() {
        return attempt != NONE;
    }

    /** This call with a shortened owner and some of the locks that its owner holds. */
    public WaitingCall shortened(String shortOwner, List<PublishedHold> some) {
        return new WaitingCall(
                shortOwner,
                process,
                lockId,
                mode,
                waitsAs,
                permits,
                slot,
                attempt,
                ticket,
                converts,
                convertsFrom,
                some);
    }
}
