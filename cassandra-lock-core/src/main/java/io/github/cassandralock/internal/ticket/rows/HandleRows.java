package io.github.cassandralock.internal.ticket.rows;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Relates the slots of one read that belong to one handle, by their bases (lock modes, section 4). Immutable. */
public final class HandleRows {

    /** The largest number of slots of a handle. */
    public static final int MOST = 6;

    private final Map<SlotId, Slot> byId;

    public HandleRows(Collection<Slot> slots) {
        byId = slots.stream().collect(Collectors.toMap(Slot::id, Function.identity(), (one, same) -> one));
    }

    private Optional<Slot> base(Slot slot) {
        return slot.isConversion()
                ? Optional.ofNullable(byId.get(new SlotId(slot.session(), slot.base())))
                : Optional.empty();
    }

    /** The slots on which this slot stands, directly or not. */
    Set<SlotId> below(Slot slot) {
        Set<SlotId> below = new HashSet<>();
        Optional<Slot> base = base(slot);
        for (int height = 1; height < MOST && base.isPresent(); height++) {
            below.add(base.get().id());
            base = base(base.get());
        }
        return below;
    }

    /** Whether the second slot stands on the first one, directly or not. Two conversions may stand on one slot. */
    public boolean isBelow(Slot one, Slot other) {
        Optional<Slot> base = base(other);
        for (int height = 1; height < MOST && base.isPresent(); height++) {
            if (base.get().id().equals(one.id())) {
                return true;
            }
            base = base(base.get());
        }
        return false;
    }

    /**
     * Whether the two slots have to be held one after the other. A conversion does not wait for a slot that conflicts with its
     * base. Such a slot waits for the base.
     */
    public boolean conflict(Slot one, Slot other) {
        return !one.id().equals(other.id())
                && !one.mode().isCompatibleWith(other.mode())
                && !isBelow(one, other)
                && !isBelow(other, one)
                && !ignores(one, other)
                && !ignores(other, one);
    }

    /** Whether the conversion goes before the second slot, whatever their tickets. */
    boolean ignores(Slot conversion, Slot other) {
        return isBelow(other, conversion)
                || base(conversion)
                        .filter(base -> !base.mode().isCompatibleWith(other.mode()))
                        .isPresent();
    }
}
