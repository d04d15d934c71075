package io.github.cassandralock.internal.ticket.rows;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which slots of one read are those of one handle, as their bases tell (lock modes, section 4). Immutable. */
public final class HandleRows {

    /** So many slots a handle has at most. */
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

    /** Whether the one is a slot on which the other stands, directly or not. Two conversions may stand on one slot. */
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
     * Whether the two have to be held one after the other. A conversion does not wait for what conflicts with the slot on which it
     * stands: that waits for this slot.
     */
    public boolean conflict(Slot one, Slot other) {
        return !one.id().equals(other.id())
                && !one.mode().isCompatibleWith(other.mode())
                && !isBelow(one, other)
                && !isBelow(other, one)
                && !ignores(one, other)
                && !ignores(other, one);
    }

    /** Whether the conversion goes before the other one, whatever their tickets. */
    boolean ignores(Slot conversion, Slot other) {
        return isBelow(other, conversion)
                || base(conversion)
                        .filter(base -> !base.mode().isCompatibleWith(other.mode()))
                        .isPresent();
    }
}
