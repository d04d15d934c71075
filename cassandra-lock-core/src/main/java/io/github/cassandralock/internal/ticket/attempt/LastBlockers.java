package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.rows.Blockers;
import java.util.List;
import java.util.stream.Stream;

/**
 * The blockers of one attempt that no other blocker waits for. When these are over, all blockers are over. WAITING requests OVER
 * from their sessions (notices, section 3). Slots of this process get no notice: the lock's actor reports them to each other. Used
 * in the lock's mailbox alone.
 */
final class LastBlockers {

    private final SlotNotices notices;
    private final AttemptSteps steps;
    private List<Slot> slots = List.of();

    LastBlockers(SlotNotices notices, AttemptSteps steps) {
        this.notices = notices;
        this.steps = steps;
    }

    List<Slot> slots() {
        return slots;
    }

    /** Called when a read has shown the blockers. Sends WAITING to the last blockers, and to those without a ticket yet. */
    void afterRead(Blockers blockers) {
        slots = blockers.lastBlockers();
        Stream.concat(blockers.choosing().stream(), slots.stream()).distinct().forEach(this::sendWaiting);
    }

    /** Called when notices have made the blockers fewer. Sends WAITING to blockers that have just become the last ones. */
    void afterChange(Blockers blockers) {
        List<Slot> before = slots;
        slots = blockers.lastBlockers();
        slots.stream().filter(slot -> !before.contains(slot)).forEach(this::sendWaiting);
    }

    void clear() {
        slots = List.of();
    }

    /** Sends WAITING once more, because a notice may be lost. */
    void sendWaitingAgain() {
        slots.forEach(this::sendWaiting);
    }

    private void sendWaiting(Slot blocker) {
        if (notices.partition().context().exchangesNotices() && !steps.isOwn(blocker.session())) {
            notices.sendWaiting(blocker, steps.own().slot());
        }
    }
}
