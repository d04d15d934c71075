package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What this process does with the notices that other sessions send it about one lock (notices, section 3). Used in the lock's
 * mailbox alone.
 */
final class IncomingNotices {

    /** The queue of the lock, as far as notices concern it. */
    interface Queue {

        /** What this process uses its slot for. */
        SlotState state();

        /** Another session waits for the present attempt. */
        void waitedFor();

        /** The slot, which was kept, is wanted by another session. */
        void giveUp(OwnSlot kept);
    }

    private final LockPartition partition;
    private final Queue queue;

    IncomingNotices(LockPartition partition, Queue queue) {
        this.partition = partition;
        this.queue = queue;
    }

    /** The session has no attempt for this lock. Its next one has a higher number than any that was drawn until now. */
    static Fact neverMore(OwnSession own) {
        return Fact.over(own.id(), own.nextTimestamp());
    }

    /** The attempt of this slot is over. The next one of its session has a higher number. */
    static Fact isOver(OwnSlot slot) {
        return Fact.over(slot.session().id(), slot.row().attempt() + 1);
    }

    /**
     * Acts on one notice.
     *
     * @param own this process's session, to which it was sent
     * @param from the sender's session
     */
    void received(OwnSession own, UUID from, Notice notice) {
        if (notice instanceof Notice.Waiting waiting) {
            facts().heardTicket(waiting.ticket());
            answer(own, from, waiting.attempt(), slot -> waitedFor(slot, from, waiting.ticket()));
        } else if (notice instanceof Notice.Ask ask) {
            answer(own, from, ask.attempt(), slot -> asked(slot, from, ask.question()));
        } else if (notice instanceof Notice.Over over) {
            heard(over);
        } else if (notice instanceof Notice.Ticket ticket) {
            facts().heardTicket(ticket.ticket());
            attempt().ifPresent(attempt -> attempt.heardTicket(from, ticket.attempt(), ticket.ticket()));
        } else if (notice instanceof Notice.Held held) {
            attempt().ifPresent(attempt -> attempt.heardHeld(held.question()));
        }
    }

    /** The first fact is about the sender. If a read has said as much already, the notice came late. */
    private void heard(Notice.Over over) {
        over.facts().stream()
                .limit(1)
                .filter(facts()::isKnown)
                .forEach(late -> partition.context().noticeArrivals().cameLate());
        over.facts().forEach(facts()::learn);
        attempt().ifPresent(SlotAttempt::heardFacts);
    }

    private Optional<SlotAttempt> attempt() {
        return queue.state() instanceof SlotState.Acquiring acquiring
                ? Optional.of(acquiring.attempt())
                : Optional.empty();
    }

    /** Says at once that the attempt is over if it is, and goes on if it is the present one. */
    private void answer(OwnSession own, UUID from, long attempt, Consumer<OwnSlot> present) {
        Optional<OwnSlot> slot = queue.state().liveSlot().filter(live -> live.belongsTo(own));
        if (slot.isPresent() && attempt >= slot.get().row().attempt()) {
            present.accept(slot.get());
        } else {
            notices().tellOver(slot.map(live -> LockFacts.of(live.row())).orElseGet(() -> neverMore(own)), from);
        }
    }

    private void waitedFor(OwnSlot slot, UUID from, long ticket) {
        if (slot.row().phase() != SlotPhase.CHOOSING && Bakery.isBehind(slot.row(), from, ticket)) {
            notices().tellTicket(slot.row(), from);
        } else {
            notices().remember(from, ticket);
            queue.waitedFor();
            if (queue.state() instanceof SlotState.Kept) {
                queue.giveUp(slot);
            }
        }
    }

    private void asked(OwnSlot slot, UUID from, long question) {
        if (queue.state() instanceof SlotState.Held || queue.state() instanceof SlotState.Left) {
            notices().held(slot.session().id(), from, question);
        } else if (queue.state() instanceof SlotState.Kept) {
            Fact over = isOver(slot);
            queue.giveUp(slot);
            notices().tellOver(over, from);
        }
    }

    private LockNotices notices() {
        return partition.notices();
    }

    private LockFacts facts() {
        return notices().facts();
    }
}
