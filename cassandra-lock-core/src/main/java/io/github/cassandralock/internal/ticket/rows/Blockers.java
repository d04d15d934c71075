package io.github.cassandralock.internal.ticket.rows;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that one attempt waits for, each in the attempt in which it is ahead (protocol, section 2; notices, section 3).
 * The first read after the ticket was written says who they are; later reads and facts only make them fewer, or move one to
 * the attempt that its session promised. Used in the lock's mailbox alone.
 */
public final class Blockers {

    private final Slot own;
    private final Map<SlotId, Slot> bySlot;

    /**
     * @param conflicting the slots that conflict in the first read that began after the own ticket was acknowledged
     * @param own the own row, with its ticket
     */
    public Blockers(List<Slot> conflicting, Slot own) {
        this.own = own;
        this.bySlot = conflicting.stream()
                .filter(slot -> Bakery.isAhead(slot, own))
                .collect(Collectors.toMap(Slot::id, Function.identity(), (one, same) -> one, HashMap::new));
    }

    /** A later read. */
    public void read(LockSlots later) {
        Map<SlotId, Slot> now =
                later.slots().stream().collect(Collectors.toMap(Slot::id, Function.identity(), (one, same) -> one));
        List.copyOf(bySlot.values()).forEach(entry -> replace(entry, after(entry, now.get(entry.id()))));
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
            case CHOOSING -> entry.phase() == SlotPhase.CHOOSING ? now : entry;
            case TICKETED, RETICKETED -> now.ticket() < entry.ticket() ? entry : now;
        };
    }

    /** An attempt that began with W1 has seen, or will see, the own ticket. One that began with RETICKET may have not. */
    private static @Nullable Slot laterAttempt(Slot now) {
        return now.phase() == SlotPhase.RETICKETED ? now : null;
    }

    /** Applies what is known about the sessions; returns whether that changed anything. */
    public boolean apply(LockFacts facts) {
        boolean changed = false;
        for (Slot entry : List.copyOf(bySlot.values())) {
            Fact fact = facts.about(entry.id());
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
                        entry.id(),
                        fact.attempt(),
                        SlotPhase.RETICKETED,
                        entry.mode(),
                        fact.ticket().getAsLong());
    }

    /** The session says that it has drawn this ticket in this attempt; returns whether that changed anything. */
    public boolean ticketDrawn(SlotId id, long attempt, long ticket) {
        Slot entry = bySlot.get(id);
        if (entry == null
                || entry.attempt() != attempt
                || (entry.phase() != SlotPhase.CHOOSING && ticket <= entry.ticket())) {
            return false;
        }
        replace(entry, entry.with(SlotPhase.TICKETED, ticket));
        return true;
    }

    /** The session says that this attempt has this mode now; returns whether that changed anything. */
    public boolean modeLowered(SlotId id, long attempt, LockMode mode) {
        Slot entry = bySlot.get(id);
        if (entry == null || entry.attempt() != attempt || entry.mode() == mode) {
            return false;
        }
        replace(entry, entry.in(mode));
        return true;
    }

    private void replace(Slot entry, @Nullable Slot now) {
        if (now != null && !now.mode().isCompatibleWith(own.mode()) && Bakery.isAhead(now, own)) {
            bySlot.put(entry.id(), now);
        } else {
            bySlot.remove(entry.id());
        }
    }

    public boolean include(SlotId id) {
        return bySlot.containsKey(id);
    }

    public boolean isEmpty() {
        return bySlot.isEmpty();
    }

    /** Those that have yet to draw a ticket, then the others in the order of their tickets. */
    public List<Slot> inOrder() {
        return bySlot.values().stream().sorted(Bakery.TICKET_ORDER).toList();
    }

    public List<Slot> choosing() {
        return bySlot.values().stream()
                .filter(slot -> slot.phase() == SlotPhase.CHOOSING)
                .toList();
    }

    /**
     * Those that no other one waits for: when they are over, so are all, because the others held the lock before them. If all are
     * exclusive, that is the one directly ahead; of holders that share the lock, it is each. One that has yet to draw a ticket is
     * not known to wait for others.
     */
    public List<Slot> lastBlockers() {
        List<Slot> inOrder = inOrder();
        Set<LockMode> behind = EnumSet.noneOf(LockMode.class);
        Deque<Slot> last = new ArrayDeque<>();
        for (int place = inOrder.size() - 1; place >= 0; place--) {
            Slot slot = inOrder.get(place);
            if (behind.stream().allMatch(slot.mode()::isCompatibleWith)) {
                last.addFirst(slot);
            }
            if (slot.phase() != SlotPhase.CHOOSING) {
                behind.add(slot.mode());
            }
        }
        return List.copyOf(last);
    }

    /** Whether one of them is ahead of an attempt that is over, and was waited for by it, which takes a ticket. */
    public boolean isAheadOf(Slot over) {
        return over.phase() != SlotPhase.CHOOSING
                && bySlot.values().stream()
                        .anyMatch(slot ->
                                Bakery.isAhead(slot, over) && !slot.mode().isCompatibleWith(over.mode()));
    }
}
