package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The notices that one slot of this process exchanges with other sessions (notices, sections 2 and 3). It records who receives
 * OVER at the end of the slot's present attempt. Used in the lock's mailbox alone.
 */
public final class SlotNotices {

    private final LockPartition partition;

    /** At most {@link SlotId#HIGHEST}. As an int, it would make each of many thousand slots 8 bytes larger. */
    private final short number;

    /** The tickets of the waiting slots. */
    private Map<SlotId, Long> waiting = Map.of();

    /** Whether WAITING has come since the present attempt's mode was last lowered, or else since the attempt began. */
    private boolean waitingReceived;

    /** @param number of the slot among the slots of this process's session */
    public SlotNotices(LockPartition partition, int number) {
        this.partition = partition;
        this.number = (short) number;
    }

    public int number() {
        return number;
    }

    /** The id of this slot in the given session. */
    SlotId id(OwnSession session) {
        return session.slot(number);
    }

    public LockPartition partition() {
        return partition;
    }

    private String lockId() {
        return partition.lockId();
    }

    /** WAITING: requests OVER from the blocker's session at the end of the blocker's attempt. */
    void sendWaiting(Slot blocker, Slot own) {
        send(
                own.session(),
                blocker.session(),
                new Notice.Waiting(
                        lockId(),
                        blocker.id().number(),
                        blocker.attempt(),
                        own.id().number(),
                        own.ticket()));
    }

    /** {@code ASK}: whether the session gives up its slot, if it only keeps it. */
    void sendAsk(UUID own, Slot blocking, long question) {
        send(own, blocking.session(), new Notice.Ask(lockId(), blocking.id().number(), blocking.attempt(), question));
    }

    /** HELD: a thread of this process holds the lock. */
    public void answerHeld(UUID own, UUID to, long question) {
        answer(own, to, new Notice.Held(lockId(), question));
    }

    /** Records that another session waits for the present attempt. That session receives OVER when the attempt is over. */
    public void noteWaiting(SlotId slot, long ticket) {
        if (waiting.isEmpty()) {
            waiting = new LinkedHashMap<>();
        }
        waiting.put(slot, ticket);
        waitingReceived = true;
    }

    /**
     * Whether the WAITING of another session for the present attempt has arrived. After a lowered mode, sessions that still wait
     * send WAITING again.
     */
    public boolean isRequestedElsewhere() {
        return waitingReceived && !waiting.isEmpty();
    }

    /** TICKET: the present attempt has drawn its ticket. Slots with a lower ticket do not wait for it any more. */
    void sendTicket(Slot own) {
        if (!waiting.isEmpty()) {
            sendToWaiting(own.session(), ticket(own));
            waiting.values().removeIf(ticket -> ticket < own.ticket());
        }
    }

    /** MODE: the mode of the present attempt was lowered. */
    public void sendMode(Slot own) {
        waitingReceived = false;
        sendToWaiting(own.session(), new Notice.Mode(lockId(), own.id().number(), own.attempt(), own.mode()));
    }

    /** TICKET, to one session that waits for an attempt that is behind it. */
    public void answerTicket(Slot own, UUID to) {
        answer(own.session(), to, ticket(own));
    }

    private Notice ticket(Slot own) {
        return new Notice.Ticket(lockId(), own.id().number(), own.attempt(), own.ticket());
    }

    /** OVER, to all that wait for the attempt that was present until now. */
    public void sendOver(Fact own) {
        if (!waiting.isEmpty()) {
            sendToWaiting(own.slot().session(), allFacts(own));
            waiting = Map.of();
        }
    }

    /** OVER, to one session that waits for an attempt that was over already. */
    public void answerOver(Fact own, UUID to) {
        answer(own.slot().session(), to, allFacts(own));
    }

    private Notice allFacts(Fact own) {
        List<Fact> all = new ArrayList<>();
        all.add(own);
        all.addAll(partition.facts().aboutOthers(own.slot()));
        return new Notice.Over(lockId(), all);
    }

    private void sendToWaiting(UUID from, Notice notice) {
        waiting.keySet().stream().map(SlotId::session).distinct().forEach(session -> send(from, session, notice));
    }

    private void send(UUID from, UUID to, Notice notice) {
        partition.context().channel().send(from, to, notice);
    }

    private void answer(UUID from, UUID to, Notice notice) {
        partition.context().channel().answer(from, to, notice);
    }
}
