package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.ticket.attempt.Foothold;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.rows.LockFacts;

/**
 * The slots on which a conversion up stands. While the handle holds the lock in its mode, what conflicts with that mode waits behind
 * one of them, so that it cannot get the lock, and need not be waited for.
 *
 * @param grant of the handle
 * @param chain of the handle, which stays as it is until the conversion has ended
 * @param wanted the mode of the conversion
 */
record ChainFoothold(LockFacts facts, TicketGrant grant, Chain chain, LockMode wanted) implements Foothold {

    @Override
    public int base() {
        return chain.top().hold().slot().row().id().number();
    }

    @Override
    public boolean isShownBy(LockSlots read) {
        return chain.links().stream()
                .allMatch(link -> Bakery.shows(read, link.hold().slot().row()));
    }

    /**
     * Rules 4 and 5: the handle's mode counts, not that of its slots, which others may share; and a slot that was compatible with it
     * once in this attempt may hold the lock beside it, whatever an older read shows later.
     */
    @Override
    public boolean ignores(Slot other) {
        return isOfChain(other.id()) || facts.conflictedInEveryModeSeen(other, chain.mode());
    }

    private boolean isOfChain(SlotId other) {
        return chain.links().stream()
                .anyMatch(link -> link.hold().slot().row().id().equals(other));
    }

    @Override
    public boolean isClear() {
        return chain.links().stream().noneMatch(link -> link.hold().isUsedAgainst(wanted, grant));
    }
}
