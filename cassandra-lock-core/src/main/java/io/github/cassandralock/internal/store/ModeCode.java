package io.github.cassandralock.internal.store;

import io.github.cassandralock.LockMode;
import java.util.List;

/**
 * The values by which a store names the modes of slots, and their permits. Mode EXCLUSIVE with several permits k is −k. Without
 * state.
 */
public final class ModeCode {

    private static final List<LockMode> IN_ORDER = List.of(
            LockMode.EXCLUSIVE,
            LockMode.PROTECTED_WRITE,
            LockMode.PROTECTED_READ,
            LockMode.CONCURRENT_WRITE,
            LockMode.CONCURRENT_READ,
            LockMode.NULL);

    private ModeCode() {}

    /** The value that the store holds. */
    public static byte of(LockMode mode) {
        return (byte) IN_ORDER.indexOf(mode);
    }

    /** The value that the store holds for a slot. */
    public static byte of(Slot slot) {
        return slot.permits() == 1 ? of(slot.mode()) : (byte) -slot.permits();
    }

    /** Returns the permits of a stored value: one, unless it names several. */
    public static int permits(byte code) {
        return Math.max(1, -code);
    }

    /**
     * Returns the mode of a stored value. An unknown value counts as EXCLUSIVE, which is safe, because it conflicts with all modes
     * but NULL.
     */
    public static LockMode mode(byte code) {
        return code >= 0 && code < IN_ORDER.size() ? IN_ORDER.get(code) : LockMode.EXCLUSIVE;
    }
}
