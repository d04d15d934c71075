package io.github.cassandralock.internal.store;

/** How far a session's acquisition of a lock has come. */
public enum SlotPhase {

    /** The session neither requests the lock nor holds it. */
    IDLE(0),

    /**
     * The session has announced its attempt and has no ticket. It will draw one, or holds the lock because it met no other session.
     */
    CHOOSING(1),

    /** The session has drawn its ticket: it waits, or holds the lock. */
    TICKETED(2),

    /**
     * The session has returned with the write that released its earlier attempt. It has a ticket, and waits or holds the lock.
     */
    RETICKETED(3);

    private final int code;

    SlotPhase(int code) {
        this.code = code;
    }

    /** The value that the store holds. */
    public byte code() {
        return (byte) code;
    }

    /** Returns the phase of a stored value. An unknown value counts as CHOOSING, which is safe, because it blocks others. */
    public static SlotPhase of(byte code) {
        return switch (code) {
            case 0 -> IDLE;
            case 2 -> TICKETED;
            case 3 -> RETICKETED;
            default -> CHOOSING;
        };
    }
}
