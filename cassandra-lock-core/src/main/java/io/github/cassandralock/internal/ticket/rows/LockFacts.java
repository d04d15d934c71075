package io.github.cassandralock.internal.ticket.rows;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows about the attempts of others for one lock, by its own reads and by notices (notices,
 * section 1), and about those of its own slots. Nothing of it ever becomes false, so it may be as old as it likes; what is dropped costs time only. Used in the
 * lock's mailbox alone.
 */
public final class LockFacts {

    /** Of so many slots, those heard of last. */
    static final int SLOTS = 4_096;

    /** By how much a returning session's ticket is above every known one: so many sessions may come in the meantime. */
    static final long GAP = 1_000;

    private static final float LOAD_FACTOR = 0.75f;

    /** Null while nothing is known: there is one for every lock that is held. */
    private @Nullable Map<SlotId, Fact> bySlot;

    /**
     * In which modes slots were seen, other than EXCLUSIVE; null while there is none. None of it is dropped while a thread wants or
     * holds the lock (lock modes, section 4, rule 5).
     */
    private @Nullable Map<SlotId, SeenModes> seenModes;

    private long highestTicket;
    private boolean ofUse;

    /** The modes in which one attempt was seen. */
    private record SeenModes(long attempt, Set<LockMode> modes) {

        SeenModes with(LockMode mode) {
            Set<LockMode> more = EnumSet.of(mode);
            more.addAll(modes);
            return new SeenModes(attempt, more);
        }
    }

    /** The slots that the last read showed. */
    private List<Slot> lastRead = List.of();

    /** @param exchangesNotices whether other sessions send facts, and ask for them */
    public LockFacts(boolean exchangesNotices) {
        ofUse = exchangesNotices;
    }

    /** From now on this process has several slots, whose attempts end each other's waits. */
    public void serveSeveralSlots() {
        ofUse = true;
    }

    /**
     * A read has lastRead these slots. A slot that was in a weak mode once in its attempt may be lastRead in a stronger one later, by an
     * older read.
     *
     * @param own the reader's slot
     */
    public void addRead(LockSlots read, Optional<SlotId> own) {
        inWeakModes(read, own).forEach(slot -> modeSeen(slot.id(), slot.attempt(), slot.mode()));
        if (ofUse) {
            addRows(read);
        }
    }

    /** Whether a read shows what counts even if the process has one slot and exchanges no notices. */
    public static boolean areShownBy(LockSlots read, Optional<SlotId> own) {
        return inWeakModes(read, own).findAny().isPresent();
    }

    private static Stream<Slot> inWeakModes(LockSlots read, Optional<SlotId> own) {
        return read.slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE && slot.mode() != LockMode.EXCLUSIVE)
                .filter(slot -> own.filter(slot.id()::equals).isEmpty());
    }

    /** What every row of a read says for ever. A row that is missing says nothing: another read may have lastRead it. */
    void addRows(LockSlots read) {
        lastRead = read.slots();
        read.slots().forEach(slot -> {
            ticketSeen(slot.ticket());
            add(of(slot));
        });
    }

    /** A slot was seen in this mode in this attempt, by a read or a notice. */
    public void modeSeen(SlotId slot, long attempt, LockMode mode) {
        if (seenModes == null) {
            seenModes = new HashMap<>();
        }
        SeenModes known = seenModes.get(slot);
        if (known == null || known.attempt() < attempt) {
            seenModes.put(slot, new SeenModes(attempt, EnumSet.of(mode)));
        } else if (known.attempt() == attempt && !known.modes().contains(mode)) {
            seenModes.put(slot, known.with(mode));
        }
    }

    /** Whether the slot, in its attempt, was never seen in a mode that is compatible with this one, and is not now. */
    public boolean conflictedInEveryModeSeen(Slot slot, LockMode mode) {
        SeenModes seen = seenModes == null ? null : seenModes.get(slot.id());
        return !slot.mode().isCompatibleWith(mode)
                && (seen == null
                        || seen.attempt() != slot.attempt()
                        || seen.modes().stream().noneMatch(mode::isCompatibleWith));
    }

    public void add(Fact fact) {
        fact.ticket().ifPresent(this::ticketSeen);
        if (bySlot == null) {
            bySlot = latest();
        }
        bySlot.merge(fact.slot(), fact, (known, heard) -> heard.covers(known) ? heard : known);
    }

    /** Whether learning it would change nothing. */
    public boolean isKnown(Fact fact) {
        Fact known = about(fact.slot());
        return known != null && known.covers(fact);
    }

    private static Map<SlotId, Fact> latest() {
        return new LinkedHashMap<>(16, LOAD_FACTOR, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<SlotId, Fact> eldest) {
                return size() > SLOTS;
            }
        };
    }

    /** A ticket that some session has drawn, or was promised. */
    public void ticketSeen(long ticket) {
        highestTicket = Math.max(highestTicket, ticket);
    }

    /** What the slot says about its session's attempts. */
    public static Fact of(Slot slot) {
        return switch (slot.phase()) {
            case IDLE -> Fact.over(slot.id(), slot.attempt() + 1);
            case CHOOSING, TICKETED -> Fact.over(slot.id(), slot.attempt());
            case RETICKETED -> Fact.promised(slot.id(), slot.attempt(), slot.ticket());
        };
    }

    /** The attempt of this slot is over. The next one with it has a higher number. */
    public static Fact attemptOver(Slot slot) {
        return Fact.over(slot.id(), slot.attempt() + 1);
    }

    /** Whether the attempt that the slot shows is over. */
    public boolean isOver(Slot slot) {
        Fact fact = about(slot.id());
        return fact != null && slot.attempt() < fact.attempt();
    }

    /** Whether the attempt that the slot shows is over, and no other one was promised in its place. */
    public boolean isOverWithoutPromise(Slot slot) {
        Fact fact = about(slot.id());
        return fact != null && slot.attempt() < fact.attempt() && fact.ticket().isEmpty();
    }

    @Nullable
    Fact about(SlotId slot) {
        return bySlot == null ? null : bySlot.get(slot);
    }

    /**
     * The facts about all slots but this one that the last read showed: an attempt waits for no others. Those that are idle
     * come last.
     */
    public List<Fact> aboutOthers(SlotId own) {
        return lastRead.stream()
                .filter(slot -> !slot.id().equals(own))
                .sorted(Comparator.comparing(slot -> slot.phase() == SlotPhase.IDLE))
                .map(slot -> about(slot.id()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** A ticket for a session that comes back: above every ticket that is known. */
    public long nextPromisedTicket() {
        return 1 + GAP + highestTicket;
    }
}
