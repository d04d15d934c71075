package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.rows.Blockers;
import java.util.List;
import java.util.stream.Stream;

/**
 * The blockers of one attempt that no other blocker waits for: when they are over, all are. WAITING asks their sessions for OVER (notices,
 * section 3). Slots of this process get no notice: the lock's actor reports them to each other. Used in the lock's mailbox alone.
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

    /** A read has shown the blockers. Asks the last ones, and those that have yet to choose. */
    void read(Blockers blockers) {
        slots = blockers.lastBlockers();
        Stream.concat(blockers.choosing().stream(), slots.stream()).distinct().forEach(this::sendWaiting);
    }

    /** Notices have made the blockers fewer. Asks those that were not among the last ones before. */
    void changed(Blockers blockers) {
        List<Slot> before = slots;
        slots = blockers.lastBlockers();
        slots.stream().filter(slot -> !before.contains(slot)).forEach(this::sendWaiting);
    }

    void clear() {
        slots = List.of();
    }

    /** Asks once more: a notice may have been lost. */
    void sendWaitingAgain() {
        slots.forEach(this::sendWaiting);
    }

    private void sendWaiting(Slot blocker) {
        if (notices.partition().context().exchangesNotices() && !steps.isOwn(blocker.session())) {
            notices.sendWaiting(blocker, steps.own().row());
        }
    }
}
