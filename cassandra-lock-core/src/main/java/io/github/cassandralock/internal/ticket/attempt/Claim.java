package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.util.List;

/**
 * What an attempt requests, and which slots are in its way. Used in the lock's mailbox alone. An attempt that converts a handle
 * up stands on the handle's rows (lock modes, section 4). A slot that conflicts with the handle's mode waits behind one of these
 * rows. Such a slot cannot get the lock before the handle ends, so the attempt does not wait for it.
 *
 * @param mode in which the lock is requested
 * @param waits whether the call waits for its turn; if not, it only tries
 * @param base the rows of the handle that is converted up, from the bottom up; empty if there is none
 * @param held the mode of that handle
 * @param permits how many slots may hold the lock at once
 */
public record Claim(LockMode mode, boolean waits, List<OwnRow> base, LockMode held, int permits) {

    public Claim {
        base = List.copyOf(base);
    }

    /** A claim for the lock itself. */
    public static Claim of(LockMode mode, int permits, boolean waits) {
        return new Claim(mode, waits, List.of(), LockMode.NULL, permits);
    }

    boolean isConversion() {
        return !base.isEmpty();
    }

    /** As in {@link Slot#base()}. */
    int baseNumber() {
        return isConversion() ? base.get(base.size() - 1).slot().id().number() : Slot.NO_BASE;
    }

    /** Whether the read shows all of the handle's rows. If not, they were evicted or have expired. */
    boolean isShownBy(LockSlots read) {
        return base.stream().allMatch(row -> Bakery.shows(read, row.slot()));
    }

    /** The slots that conflict with this claim. Those ahead of its own slot must be over before that slot can hold the lock. */
    List<Slot> conflicting(LockSlots read, SlotId own, LockPartition partition) {
        return Bakery.conflicting(read, own, mode).stream()
                .filter(slot -> !ignores(slot, partition))
                .toList();
    }

    /**
     * Whether the slot is one of the handle's, or cannot get the lock while the handle holds it. The handle's mode counts (rules
     * 4 and 5), not the mode of its slots, which others may share. A slot that was ever compatible with the handle in this
     * attempt may hold the lock together with it. An older read that arrives later does not change that.
     */
    boolean ignores(Slot other, LockPartition partition) {
        return isConversion() && (isBase(other) || partition.facts().conflictedInEveryModeSeen(other, held));
    }

    private boolean isBase(Slot other) {
        return base.stream().anyMatch(row -> row.slot().id().equals(other.id()));
    }

    /** Whether the attempt gets the lock although all these slots conflict with it and are ahead (lock modes, section 8). */
    boolean hasRoomBeside(List<Slot> blocking) {
        return Bakery.hasRoomBeside(blocking, permits);
    }

    /** Conflicting slots that R1 counts. */
    List<Slot> countedByR1(List<Slot> conflicting, LockPartition partition) {
        return conflicting.stream()
                .filter(slot -> !isOverForR1(slot, partition))
                .toList();
    }

    /**
     * Whether the attempt that R1 shows is over. If another one is promised in its place, that one sees the slot of this attempt.
     * With several permits that does not suffice: a third slot may count the promised one alone.
     */
    private boolean isOverForR1(Slot slot, LockPartition partition) {
        return permits == 1 ? partition.facts().isOver(slot) : partition.facts().isOverWithoutPromise(slot);
    }

    /**
     * Whether other sessions request the lock, so that the attempt has to wait. A session that comes back counts, although its
     * slot is not in the way. Holders of other permits are no contention.
     */
    boolean isContended(List<Slot> conflicting, AttemptSteps steps, LockPartition partition) {
        return !hasRoomBeside(conflicting.stream()
                .filter(slot -> !steps.isOwn(slot) && !partition.facts().isOverWithoutPromise(slot))
                .toList());
    }

    /** Requests in other modes, and conversions, have one permit because they cannot have more. */
    void warnIfPermitsDiffer(List<Slot> conflicting, LockPartition partition) {
        if (mode == LockMode.EXCLUSIVE && !isConversion()) {
            conflicting.stream()
                    .filter(slot -> slot.mode() == LockMode.EXCLUSIVE && slot.permits() != permits)
                    .filter(slot -> !partition.facts().isOver(slot))
                    .findFirst()
                    .ifPresent(slot ->
                            partition.context().warnings().warnThatPermitsDiffer(partition.lockId(), permits, slot));
        }
    }
}
