package io.github.cassandralock.internal.store;

/** Where a session is on its way to a lock. */
public enum SlotPhase {

    /** It neither wants the lock nor holds it. */
    IDLE(0),

    /** It has announced itself and has no ticket: it is about to draw one, or holds the lock because it was alone. */
    CHOOSING(1),

    /** It has drawn its ticket: it waits, or holds the lock. */
    TICKETED(2);

    private final int code;

    SlotPhase(int code) {
        this.code = code;
    }

    /** As it is stored. */
    public byte code() {
        return (byte) code;
    }

    /** What was stored. A code that this version does not know takes no chances: it blocks. */
    public static SlotPhase of(byte code) {
        return switch (code) {
            case 0 -> IDLE;
            case 2 -> TICKETED;
            default -> CHOOSING;
        };
    }
}
