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
 * The facts of this process about attempts for one lock (notices, section 1). They come from its own reads, from notices, and
 * from its own slots. A fact never becomes false, so facts of any age may be used. A dropped fact only costs time. Used in the
 * lock's mailbox alone.
 */
public final class LockFacts {

    /** Facts are kept for so many slots, the most recently used ones. */
    static final int SLOTS = 4_096;

    /** How far a promised ticket is above every ticket seen: so many sessions may draw tickets in the meantime. */
    static final long GAP = 1_000;

    private static final float LOAD_FACTOR = 0.75f;

    /** Null while there are no facts, because there is one object for every held lock. */
    private @Nullable Map<SlotId, Fact> bySlot;

    /**
     * The modes except EXCLUSIVE in which slots were seen; null while there are none. No entry is dropped while a thread requests
     * or holds the lock (lock modes, section 4, rule 5).
     */
    private @Nullable Map<SlotId, SeenModes> seenModes;

    private long highestTicket;
    private boolean recordsReads;

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

    /** @param exchangesNotices whether other sessions send facts, and wait for facts */
    public LockFacts(boolean exchangesNotices) {
        recordsReads = exchangesNotices;
    }

    /** Records that this process has several slots, whose attempts end each other's waits. */
    public void serveSeveralSlots() {
        recordsReads = true;
    }

    /**
     * Adds what a read has shown. An older read that arrives later may show a slot in a stronger mode than an earlier result.
     *
     * @param own the reader's slot
     */
    public void addRead(LockSlots read, Optional<SlotId> own) {
        inWeakModes(read, own).forEach(slot -> modeSeen(slot.id(), slot.attempt(), slot.mode()));
        if (recordsReads) {
            addRows(read);
        }
    }

    /** Whether a read shows modes other than EXCLUSIVE. These count even in a process with one slot and without notices. */
    public static boolean areShownBy(LockSlots read, Optional<SlotId> own) {
        return inWeakModes(read, own).findAny().isPresent();
    }

    private static Stream<Slot> inWeakModes(LockSlots read, Optional<SlotId> own) {
        return read.slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE && slot.mode() != LockMode.EXCLUSIVE)
                .filter(slot -> own.filter(slot.id()::equals).isEmpty());
    }

    /** Adds a fact for every row of the read. A missing row is no fact, because another read may have shown it. */
    void addRows(LockSlots read) {
        lastRead = read.slots();
        read.slots().forEach(slot -> {
            ticketSeen(slot.ticket());
            add(of(slot));
        });
    }

    /** Records that a read or a notice has shown the slot in this mode in this attempt. */
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

    /** Whether every mode seen for the slot in its attempt, the present one included, conflicts with the given mode. */
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
        bySlot.merge(fact.slot(), fact, (recorded, added) -> added.covers(recorded) ? added : recorded);
    }

    /** Whether the fact adds nothing to what is recorded. */
    public boolean covers(Fact fact) {
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

    /** Records a ticket that a session has drawn or promised. */
    public void ticketSeen(long ticket) {
        highestTicket = Math.max(highestTicket, ticket);
    }

    /** The fact that the slot's row shows about the attempts of its session. */
    public static Fact of(Slot slot) {
        return switch (slot.phase()) {
            case IDLE -> Fact.over(slot.id(), slot.attempt() + 1);
            case CHOOSING, TICKETED -> Fact.over(slot.id(), slot.attempt());
            case RETICKETED -> Fact.promised(slot.id(), slot.attempt(), slot.ticket());
        };
    }

    /** The fact that the attempt of this slot is over. Every later attempt of the slot has a higher number. */
    public static Fact attemptOver(Slot slot) {
        return Fact.over(slot.id(), slot.attempt() + 1);
    }

    /** Whether the attempt that the slot shows is over. */
    public boolean isOver(Slot slot) {
        Fact fact = about(slot.id());
        return fact != null && slot.attempt() < fact.attempt();
    }

    /** Whether the attempt that the slot shows is over, and no attempt was promised in its place. */
    public boolean isOverWithoutPromise(Slot slot) {
        Fact fact = about(slot.id());
        return fact != null && slot.attempt() < fact.attempt() && fact.ticket().isEmpty();
    }

    @Nullable
    Fact about(SlotId slot) {
        return bySlot == null ? null : bySlot.get(slot);
    }

    /**
     * The facts about the slots of the last read, without the given slot. An attempt waits for no slots but these. Idle slots
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

    /** A ticket for a promised attempt, above every ticket seen. */
    public long nextPromisedTicket() {
        return 1 + GAP + highestTicket;
    }
}
