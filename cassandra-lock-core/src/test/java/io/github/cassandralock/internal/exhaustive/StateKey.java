package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.store.SlotId;
import java.util.UUID;

/** A state, as 128 bits: two states with one key are taken for one. */
record StateKey(long high, long low) {

    private static final long FIRST = 0x9E3779B97F4A7C15L;
    private static final long SECOND = 0xC2B2AE3D27D4EB4FL;

    static final StateKey EMPTY = new StateKey(1, 2);

    /** The key of what this key stands for, followed by this number. */
    StateKey with(long number) {
        return new StateKey(mixed(high ^ number, FIRST), mixed(low + number, SECOND));
    }

    StateKey with(StateKey other) {
        return with(other.high).with(other.low);
    }

    /** The key of both together, in whatever order they are added. */
    StateKey plus(StateKey other) {
        return new StateKey(high + other.high, low + other.low);
    }

    static StateKey of(UUID id) {
        return EMPTY.with(id.getMostSignificantBits()).with(id.getLeastSignificantBits());
    }

    static StateKey of(SlotId slot) {
        return of(slot.session()).with(slot.number());
    }

    private static long mixed(long bits, long factor) {
        long spread = bits * factor;
        spread ^= spread >>> 29;
        spread *= factor;
        return spread ^ (spread >>> 32);
    }
}
