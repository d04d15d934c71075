package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.attempt.TurnSource;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.rows.LockFacts;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Acts on the notices about one lock that other sessions send to this process (notices, section 3). Used in the lock's mailbox
 * alone.
 */
public record IncomingNotices(LocalState lock) {

    /**
     * The fact that the session has no attempt with this slot. Its next attempt has a higher number than all attempts until now.
     */
    public static Fact noPresentAttempt(OwnSession own, int slot) {
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
            waitingReceived(own, new SlotId(from, waiting.senderSlot()), waiting);
        } else if (notice instanceof Notice.Ask ask) {
            askReceived(own, from, ask);
        } else if (notice instanceof Notice.Over over) {
            overReceived(over);
        } else if (notice instanceof Notice.Ticket ticket) {
            SlotId slot = new SlotId(from, ticket.slot());
            lock.facts().ticketSeen(ticket.ticket());
            lock.notifyAttempts(
                    attempt -> attempt.ticketReceived(slot, ticket.attempt(), ticket.ticket(), TurnSource.NOTICE));
        } else if (notice instanceof Notice.Mode mode) {
            SlotId slot = new SlotId(from, mode.slot());
            lock.facts().modeSeen(slot, mode.attempt(), mode.mode());
            lock.notifyAttempts(attempt -> attempt.modeReceived(slot, mode.attempt(), mode.mode(), TurnSource.NOTICE));
        } else if (notice instanceof Notice.Held held) {
            lock.notifyAttempts(attempt -> attempt.heldAnswered(held.question()));
        }
    }

    /** The first fact is about the sender. If a read or another notice has shown this fact, the notice counts as late. */
    private void overReceived(Notice.Over over) {
        List<Fact> facts = over.facts();
        if (!facts.isEmpty() && lock.facts().covers(facts.get(0))) {
            lock.partition().context().noticeHealth().arrivedLate();
        }
        facts.forEach(lock.facts()::add);
        lock.notifyAttempts(attempt -> attempt.factsReceived(TurnSource.NOTICE));
    }

    private void waitingReceived(OwnSession own, SlotId from, Notice.Waiting waiting) {
        lock.facts().ticketSeen(waiting.ticket());
        present(own, waiting.slot(), waiting.attempt())
                .ifPresentOrElse(
                        local -> noteWaitingOrAnswerTicket(local, live(local, own), from, waiting.ticket()),
                        () -> answerOver(own, waiting.slot(), from.session()));
    }

    private void askReceived(OwnSession own, UUID from, Notice.Ask ask) {
        present(own, ask.slot(), ask.attempt())
                .ifPresentOrElse(
                        local -> yieldOrAnswerHeld(local, live(local, own), from, ask.question()),
                        () -> answerOver(own, ask.slot(), from));
    }

    /** The slot, unless the attempt in the sender's notice is over. */
    private Optional<LocalSlot> present(OwnSession own, int slot, long attempt) {
        return lock.slot(slot)
                .filter(local -> local.state()
                        .live(own)
                        .filter(live -> attempt >= live.slot().attempt())
                        .isPresent());
    }

    private static OwnRow live(LocalSlot local, OwnSession own) {
        return local.state().live(own).orElseThrow();
    }

    /** Answers also for a slot that this process never had. */
    private void answerOver(OwnSession own, int slot, UUID to) {
        Fact over = lock.slot(slot)
                .flatMap(local -> local.state().live(own))
                .map(live -> LockFacts.of(live.slot()))
                .orElseGet(() -> noPresentAttempt(own, slot));
        new SlotNotices(lock.partition(), slot).answerOver(over, to);
    }

    private void noteWaitingOrAnswerTicket(LocalSlot local, OwnRow live, SlotId from, long ticket) {
        SlotNotices notices = local.notices();
        if (live.slot().phase() != SlotPhase.CHOOSING && Bakery.isBehind(live.slot(), from, ticket)) {
            notices.answerTicket(live.slot(), from.session());
        } else {
            notices.noteWaiting(from, ticket);
            local.contended();
            local.decide(SlotState::requestedElsewhere);
        }
    }

    private void yieldOrAnswerHeld(LocalSlot local, OwnRow live, UUID from, long question) {
        SlotNotices notices = local.notices();
        Fact over = LockFacts.attemptOver(live.slot());
        if (local.state().staysTaken()) {
            notices.answerHeld(live.session().id(), from, question);
        } else if (local.decide(SlotState::requestedElsewhere)) {
            notices.answerOver(over, from);
        }
    }
}
