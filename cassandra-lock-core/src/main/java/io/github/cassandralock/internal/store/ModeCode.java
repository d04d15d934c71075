package io.github.cassandralock.internal.store;

import io.github.cassandralock.LockMode;

/** The values by which a store names the modes of slots. Without state. */
public final class ModeCode {

    private ModeCode() {}

    /** The value that the store holds. */
    public static byte of(LockMode mode) {
        return switch (mode) {
            case EXCLUSIVE -> 0;
            case PROTECTED_WRITE -> 1;
            case PROTECTED_READ -> 2;
            case CONCURRENT_WRITE -> 3;
            case CONCURRENT_READ -> 4;
            case NULL -> 5;
        };
    }

    /**
     * Returns the mode of a stored value. An unknown value counts as EXCLUSIVE, which is safe, because it conflicts with all modes
     * but NULL.
     */
    public static LockMode mode(byte code) {
        return switch (code) {
            case 1 -> LockMode.PROTECTED_WRITE;
            case 2 -> LockMode.PROTECTED_READ;
            case 3 -> LockMode.CONCURRENT_WRITE;
            case 4 -> LockMode.CONCURRENT_READ;
            case 5 -> LockMode.NULL;
            default -> LockMode.EXCLUSIVE;
        };
    }
}
