package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.util.List;

/**
 * Decides for one attempt which slots in its way leave a permit (lock modes, section 8). Used in
 * the lock's mailbox alone.
 *
 * @param claim what the attempt requests
 */
record AttemptPermits(LockPartition partition, Claim claim) {

    private int number() {
        return claim.permits();
    }

    /** Whether the attempt gets the lock although all these slots conflict with it and are ahead. */
    boolean leaveRoom(List<Slot> inTheWay) {
        return Bakery.leaveRoom(inTheWay, number());
    }

    /** The conflicting slots that R1 counts. */
    List<Slot> inTheWayOfR1(List<Slot> conflicting) {
        return conflicting.stream().filter(slot -> !isOutOfTheWay(slot)).toList();
    }

    /**
     * Whether the attempt that R1 shows is over. If another attempt is promised in its place, that attempt sees the slot of this
     * attempt. With several permits that does not suffice: a third slot may count the promised one alone.
     */
    private boolean isOutOfTheWay(Slot slot) {
        return number() == 1
                ? partition.facts().isOver(slot)
                : partition.facts().isOverWithoutPromise(slot);
    }

    /**
     * Whether other sessions request the lock, so that the attempt has to wait. A session that comes back counts, although its
     * slot is not in the way. Holders of other permits are no contention.
     */
    boolean areContended(List<Slot> conflicting, AttemptSteps steps) {
        return !leaveRoom(conflicting.stream()
                .filter(slot -> !steps.isOwn(slot) && !partition.facts().isOverWithoutPromise(slot))
                .toList());
    }

    /**
     * The attempt gets the lock. Those that hold other permits may be dead, and no later request need wait for long enough to find
     * out. Therefore, some of their sessions are watched.
     *
     * @param ahead the slots that conflict and are ahead, fewer than the lock has permits
     * @param attempt its number
     */
    void watch(List<Slot> ahead, long attempt) {
        if (!ahead.isEmpty()) {
            BackgroundEviction.watchOne(partition, ahead, attempt);
        }
    }

    /** Requests in other modes, and conversions, have one permit because they cannot have more. */
    void warnIfTheyDiffer(List<Slot> conflicting) {
        if (claim.mode() == LockMode.EXCLUSIVE && !claim.isConversion()) {
            warnIfOtherThan(number(), conflicting);
        }
    }

    private void warnIfOtherThan(int number, List<Slot> conflicting) {
        conflicting.stream()
                .filter(slot -> slot.mode() == LockMode.EXCLUSIVE && slot.permits() != number)
                .filter(slot -> !partition.facts().isOver(slot))
                .findFirst()
                .ifPresent(
                        slot -> partition.context().warnings().warnThatPermitsDiffer(partition.lockId(), number, slot));
    }
}
