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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slots that one attempt waits for, each with the attempt that is ahead (protocol, section 2; notices, section 3). The first
 * read after the write of the ticket shows the blockers. Later reads and facts remove blockers, or replace one by the attempt
 * that its session promised. Used in the lock's mailbox alone.
 */
public final class Blockers {

    private final Slot own;
    private final Map<SlotId, Slot> bySlot;

    /**
     * @param conflicting the conflicting slots of the first read that began after the own ticket was acknowledged
     * @param own the own row, with its ticket
     */
    public Blockers(List<Slot> conflicting, Slot own) {
        this.own = own;
        this.bySlot = conflicting.stream()
                .filter(slot -> Bakery.isAhead(slot, own))
                .collect(Collectors.toMap(Slot::id, Function.identity(), (one, same) -> one, HashMap::new));
    }

    /** Applies a later read. */
    public void applyRead(LockSlots later) {
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

    /**
     * A later attempt that began with W1 reads the own ticket, and waits for it. An attempt that began with RETICKET may not read
     * it.
     */
    private static @Nullable Slot laterAttempt(Slot now) {
        return now.phase() == SlotPhase.RETICKETED ? now : null;
    }

    /** Applies the facts; returns whether a blocker changed. */
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

    /** The attempt that the session promised has the mode and the permits of the one before. */
    private static @Nullable Slot promised(Slot entry, Fact fact) {
        return fact.ticket().isEmpty()
                ? null
                : new Slot(
                        entry.id(),
                        fact.attempt(),
                        SlotPhase.RETICKETED,
                        entry.mode(),
                        fact.ticket().getAsLong(),
                        Slot.NO_BASE,
                        entry.permits());
    }

    /** Applies a notice that the slot has drawn this ticket in this attempt; returns whether a blocker changed. */
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

    /** Applies a notice that this attempt of the slot has this mode now; returns whether a blocker changed. */
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

    public boolean contains(SlotId id) {
        return bySlot.containsKey(id);
    }

    /** Whether the own slot holds the lock: fewer are ahead than the lock has permits (lock modes, section 8). */
    public boolean isOwnTurn() {
        return bySlot.size() < permits();
    }

    /** How many slots may hold the lock at once, as the own slot sees it. */
    public int permits() {
        return Bakery.permits(own.permits(), bySlot.values().stream());
    }

    /** The blockers without a ticket yet, then the others in the order of their tickets. */
    public List<Slot> inOrder() {
        return bySlot.values().stream().sorted(Bakery.TICKET_ORDER).toList();
    }

    public List<Slot> choosing() {
        return bySlot.values().stream()
                .filter(slot -> slot.phase() == SlotPhase.CHOOSING)
                .toList();
    }

    /**
     * The blockers that no other blocker waits for. When these are over, all are over, because the others held the lock before.
     * If all blockers are exclusive, the result is the blocker directly ahead. If holders share the lock, each of them is in the
     * result. A blocker without a ticket yet is not taken to wait for others. With several permits, the last blockers that may
     * hold the lock together are in the result.
     */
    public List<Slot> lastBlockers() {
        List<Slot> inOrder = inOrder();
        List<Slot> last = Bakery.last(inOrder, permits());
        return last.size() <= 1
                ? lastInTheirModes(inOrder)
                : Stream.concat(last.stream(), lastInTheirModes(inOrder).stream())
                        .distinct()
                        .toList();
    }

    private static List<Slot> lastInTheirModes(List<Slot> inOrder) {
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

    /**
     * Whether an attempt that is over waited for one of them. It had a ticket, and as many of them as it has permits are ahead of
     * it. One is enough if it has one permit.
     */
    public boolean areAheadOf(Slot over) {
        return over.phase() != SlotPhase.CHOOSING
                && bySlot.values().stream()
                                .filter(slot -> Bakery.isAhead(slot, over)
                                        && !slot.mode().isCompatibleWith(over.mode()))
                                .count()
                        >= over.permits();
    }
}
