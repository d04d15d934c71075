package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.store.Slot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What this process's session and others tell each other about one lock (notices, sections 2 and 3): the facts that are known,
 * and the sessions that are to be told when the present attempt is over. Used in the lock's mailbox alone.
 */
final class LockNotices {

    private final TicketContext context;
    private final String lockId;
    private final LockFacts facts = new LockFacts();

    /** Their tickets, by their sessions. */
    private Map<UUID, Long> waiting = Map.of();

    LockNotices(TicketContext context, String lockId) {
        this.context = context;
        this.lockId = lockId;
    }

    LockFacts facts() {
        return facts;
    }

    /** WAITING: asks the blocker's session to say when that attempt is over. */
    void waitFor(Slot blocker, Slot own) {
        send(own.session(), blocker.session(), new Notice.Waiting(lockId, blocker.attempt(), own.ticket()));
    }

    /** ASK: whether the session gives up its slot, if it only keeps it. */
    void ask(UUID own, Slot inTheWay, long question) {
        send(own, inTheWay.session(), new Notice.Ask(lockId, inTheWay.attempt(), question));
    }

    /** HELD: a thread of this process holds the lock. */
    void held(UUID own, UUID to, long question) {
        send(own, to, new Notice.Held(lockId, question));
    }

    /** Another session waits for the present attempt: it is told when that is over. */
    void remember(UUID session, long ticket) {
        if (waiting.isEmpty()) {
            waiting = new LinkedHashMap<>();
        }
        waiting.put(session, ticket);
    }

    /** Whether another session waits for the present attempt, as far as it could say so. */
    boolean isWaitedFor() {
        return !waiting.isEmpty();
    }

    /** TICKET: the present attempt has drawn its ticket. Those with a lower one wait for it no longer. */
    void drew(Slot own) {
        if (!waiting.isEmpty()) {
            waiting.keySet().forEach(session -> tellTicket(own, session));
            waiting.values().removeIf(ticket -> ticket < own.ticket());
        }
    }

    /** TICKET, to one session. */
    void tellTicket(Slot own, UUID to) {
        send(own.session(), to, new Notice.Ticket(lockId, own.attempt(), own.ticket()));
    }

    /** OVER, to all that wait for the attempt that was present until now. */
    void over(Fact own) {
        if (!waiting.isEmpty()) {
            Notice over = allFacts(own);
            waiting.keySet().forEach(session -> send(own.session(), session, over));
            waiting = Map.of();
        }
    }

    /** OVER, to one session that waits for an attempt that was over already. */
    void tellOver(Fact own, UUID to) {
        send(own.session(), to, allFacts(own));
    }

    private Notice allFacts(Fact own) {
        List<Fact> all = new ArrayList<>();
        all.add(own);
        all.addAll(facts.aboutOthers(own.session()));
        return new Notice.Over(lockId, all);
    }

    private void send(UUID from, UUID to, Notice notice) {
        context.channel().send(from, to, notice);
    }
}
