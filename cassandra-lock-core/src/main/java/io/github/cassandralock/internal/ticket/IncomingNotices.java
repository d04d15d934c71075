package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.rows.LockFacts;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * What this process does with the notices that other sessions send it about one lock (notices, section 3). Used in the lock's
 * mailbox alone.
 */
final class IncomingNotices {

    /** The slots of this process in the lock's partition, as far as notices concern them. */
    interface Slots {

        /** Empty if the process has never had a slot of this number since it began to use the lock. */
        Optional<LocalSlot> slot(int number);

        /** The attempts that are under way receive something, and may end by that. */
        void notifyAttempts(Function<SlotAttempt, Optional<SlotAttempt.Outcome>> what);
    }

    private final LockPartition partition;
    private final Slots slots;

    IncomingNotices(LockPartition partition, Slots slots) {
        this.partition = partition;
        this.slots = slots;
    }

    /** The session has no attempt with this slot. Its next one has a higher number than any that was drawn until now. */
    static Fact neverMore(OwnSession own, int slot) {
        return Fact.over(new SlotId(own.id(), slot), own.nextTimestamp());
    }

    /**
     * Acts on one notice.
     *
     * @param own this process's session, to which it was sent
     * @param from the sender's session
     */
    void received(OwnSession own, UUID from, Notice notice) {
        if (notice instanceof Notice.Waiting waiting) {
            received(own, new SlotId(from, waiting.senderSlot()), waiting);
        } else if (notice instanceof Notice.Ask ask) {
            received(own, from, ask);
        } else if (notice instanceof Notice.Over over) {
            heard(over);
        } else if (notice instanceof Notice.Ticket ticket) {
            SlotId slot = new SlotId(from, ticket.slot());
            partition.facts().ticketSeen(ticket.ticket());
            slots.notifyAttempts(attempt -> attempt.ticketReceived(slot, ticket.attempt(), ticket.ticket()));
        } else if (notice instanceof Notice.Mode mode) {
            SlotId slot = new SlotId(from, mode.slot());
            partition.facts().modeSeen(slot, mode.attempt(), mode.mode());
            slots.notifyAttempts(attempt -> attempt.modeReceived(slot, mode.attempt(), mode.mode()));
        } else if (notice instanceof Notice.Held held) {
            slots.notifyAttempts(attempt -> attempt.heldAnswered(held.question()));
        }
    }

    /** The first fact is about the sender. If a read has said as much already, the notice came late. */
    private void heard(Notice.Over over) {
        over.facts().stream()
                .limit(1)
                .filter(partition.facts()::isKnown)
                .forEach(late -> partition.context().noticeHealth().arrivedLate());
        over.facts().forEach(partition.facts()::add);
        slots.notifyAttempts(attempt -> attempt.factsReceived(true));
    }

    private void received(OwnSession own, SlotId from, Notice.Waiting waiting) {
        partition.facts().ticketSeen(waiting.ticket());
        present(own, waiting.slot(), waiting.attempt())
                .ifPresentOrElse(
                        local -> waitedFor(local, live(local, own), from, waiting.ticket()),
                        () -> tellOver(own, waiting.slot(), from.session()));
    }

    private void received(OwnSession own, UUID from, Notice.Ask ask) {
        present(own, ask.slot(), ask.attempt())
                .ifPresentOrElse(
                        local -> asked(local, live(local, own), from, ask.question()),
                        () -> tellOver(own, ask.slot(), from));
    }

    /** The slot, unless the attempt is over that the sender takes for the present one. */
    private Optional<LocalSlot> present(OwnSession own, int slot, long attempt) {
        return slots.slot(slot)
                .filter(local -> local.live(own)
                        .filter(live -> attempt >= live.row().attempt())
                        .isPresent());
    }

    private static OwnRow live(LocalSlot local, OwnSession own) {
        return local.live(own).orElseThrow();
    }

    private void tellOver(OwnSession own, int slot, UUID to) {
        Fact over = slots.slot(slot)
                .flatMap(local -> local.live(own))
                .map(live -> LockFacts.of(live.row()))
                .orElseGet(() -> neverMore(own, slot));
        new SlotNotices(partition, slot).answerOver(over, to);
    }

    private void waitedFor(LocalSlot local, OwnRow slot, SlotId from, long ticket) {
        SlotNotices notices = local.notices();
        if (slot.row().phase() != SlotPhase.CHOOSING && Bakery.isBehind(slot.row(), from, ticket)) {
            notices.answerTicket(slot.row(), from.session());
        } else {
            notices.noteWaiting(from, ticket);
            local.contended();
            local.giveUpKept();
        }
    }

    private void asked(LocalSlot local, OwnRow slot, UUID from, long question) {
        SlotNotices notices = local.notices();
        if (local.state() instanceof SlotState.Held || local.isLeft()) {
            notices.answerHeld(slot.session().id(), from, question);
        } else if (local.state() instanceof SlotState.Kept) {
            Fact over = LockFacts.attemptOver(slot.row());
            local.giveUpKept();
            notices.answerOver(over, from);
        }
    }
}
