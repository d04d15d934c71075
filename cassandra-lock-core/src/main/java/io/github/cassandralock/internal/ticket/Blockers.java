package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that one attempt waits for, each in the attempt in which it is ahead (protocol, section 2; notices, section 3).
 * The first read after the ticket was written says who they are; later reads and facts only make them fewer, or move one to
 * the attempt that its session promised. Used in the lock's mailbox alone.
 */
final class Blockers {

    private final Slot own;
    private final Map<UUID, Slot> bySession;

    /**
     * @param first the first read that began after the own ticket was acknowledged
     * @param own the own row, with its ticket
     */
    Blockers(LockSlots first, Slot own) {
        this.own = own;
        this.bySession = Bakery.conflicting(first, own.session()).stream()
                .filter(slot -> Bakery.isAhead(slot, own))
                .collect(Collectors.toMap(Slot::session, Function.identity(), (one, same) -> one, HashMap::new));
    }

    /** A later read. */
    void read(LockSlots later) {
        Map<UUID, Slot> now = later.slots().stream()
                .collect(Collectors.toMap(Slot::session, Function.identity(), (one, same) -> one));
        List.copyOf(bySession.values()).forEach(entry -> replace(entry, after(entry, now.get(entry.session()))));
    }

    private @Nullable Slot after(Slot entry, @Nullable Slot now) {
        if (now == null) {
            return null;
        }
        if (now.attempt() < entry.attempt()) {
            return entry;
        }
        return now.attempt() == entry.attempt() ? sameAttempt(entry, now) : laterAttempt(now);
    }

    private static @Nullable Slot sameAttempt(Slot entry, Slot now) {
        return switch (now.phase()) {
            case IDLE -> null;
            case CHOOSING -> entry;
            case TICKETED, RETICKETED -> now;
        };
    }

    /** An attempt that began with W1 has seen, or will see, the own ticket. One that began with RETICKET may have not. */
    private static @Nullable Slot laterAttempt(Slot now) {
        return now.phase() == SlotPhase.RETICKETED ? now : null;
    }

    /** Applies what is known about the sessions; returns whether that changed anything. */
    boolean learn(LockFacts facts) {
        boolean changed = false;
        for (Slot entry : List.copyOf(bySession.values())) {
            Fact fact = facts.about(entry.session());
            if (fact != null && entry.attempt() < fact.attempt()) {
                replace(entry, promised(entry, fact));
                changed = true;
            }
        }
        return changed;
    }

    private static @Nullable Slot promised(Slot entry, Fact fact) {
        return fact.ticket().isEmpty()
                ? null
                : new Slot(
                        entry.session(),
                        fact.attempt(),
                        SlotPhase.RETICKETED,
                        entry.mode(),
                        fact.ticket().getAsLong());
    }

    /** The session says that it has drawn this ticket in this attempt; returns whether that changed anything. */
    boolean drew(UUID session, long attempt, long ticket) {
        Slot entry = bySession.get(session);
        if (entry == null || entry.attempt() != attempt || entry.phase() != SlotPhase.CHOOSING) {
            return false;
        }
        replace(entry, new Slot(session, attempt, SlotPhase.TICKETED, entry.mode(), ticket));
        return true;
    }

    private void replace(Slot entry, @Nullable Slot now) {
        if (now != null && Bakery.isAhead(now, own)) {
            bySession.put(entry.session(), now);
        } else {
            bySession.remove(entry.session());
        }
    }

    boolean include(UUID session) {
        return bySession.containsKey(session);
    }

    boolean isEmpty() {
        return bySession.isEmpty();
    }

    /** Those that have yet to draw a ticket, then the others in the order of their tickets. */
    List<Slot> inOrder() {
        return bySession.values().stream().sorted(Bakery.TICKET_ORDER).toList();
    }

    List<Slot> choosing() {
        return bySession.values().stream()
                .filter(slot -> slot.phase() == SlotPhase.CHOOSING)
                .toList();
    }

    /** The one directly ahead, of those that have a ticket: when it is over, so are all. */
    Optional<Slot> last() {
        return bySession.values().stream()
                .filter(slot -> slot.phase() != SlotPhase.CHOOSING)
                .max(Bakery.TICKET_ORDER);
    }
}
