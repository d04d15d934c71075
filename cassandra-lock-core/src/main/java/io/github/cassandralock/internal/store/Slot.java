package io.github.cassandralock.internal.store;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import java.util.UUID;

/**
 * One slot of a session in a lock, as its row shows it. The row is always written as a whole.
 *
 * @param id its session, which owns it, and its number
 * @param attempt the number of one acquisition with this slot; a later one has a higher number
 * @param phase how far that acquisition has come
 * @param mode in which the session requests or holds the lock
 * @param ticket its place in the queue; 0 while it has none
 * @param base the number of the session's slot that a conversion stands on; {@link #NO_BASE} if this is none
 * @param permits how many slots in mode EXCLUSIVE may hold the lock at once, as this slot has it; 1 in all other modes
 */
public record Slot(SlotId id, long attempt, SlotPhase phase, LockMode mode, long ticket, int base, int permits) {

    /** The base of a slot without a conversion. */
    public static final int NO_BASE = -1;

    /** A row has no other place for permits than its mode. */
    public Slot {
        if (permits < 1 || permits > LockRequest.MAX_PERMITS || (permits > 1 && mode != LockMode.EXCLUSIVE)) {
            throw new IllegalArgumentException("a slot in mode " + mode + " cannot have " + permits + " permits");
        }
    }

    /** A slot without a base. */
    public Slot(SlotId id, long attempt, SlotPhase phase, LockMode mode, long ticket) {
        this(id, attempt, phase, mode, ticket, NO_BASE);
    }

    /** A slot of a lock that has one permit. */
    public Slot(SlotId id, long attempt, SlotPhase phase, LockMode mode, long ticket, int base) {
        this(id, attempt, phase, mode, ticket, base, 1);
    }

    public UUID session() {
        return id.session();
    }

    /** Whether this slot belongs to a conversion up: its session holds the lock with another slot. */
    public boolean isConversion() {
        return base != NO_BASE;
    }

    /** This attempt in another phase and with another ticket. */
    public Slot with(SlotPhase newPhase, long newTicket) {
        return new Slot(id, attempt, newPhase, mode, newTicket, base, permits);
    }

    /** This attempt in another mode. */
    public Slot in(LockMode newMode) {
        return new Slot(id, attempt, phase, newMode, ticket, base, permits);
    }
}
