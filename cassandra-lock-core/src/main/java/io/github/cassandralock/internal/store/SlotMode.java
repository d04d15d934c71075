package io.github.cassandralock.internal.store;

/** How a session wants the lock. */
public enum SlotMode {

    /** Only one session holds the lock at a time. */
    EXCLUSIVE(0);

    private final int code;

    SlotMode(int code) {
        this.code = code;
    }

    /** The value that the store holds. */
    public byte code() {
        return (byte) code;
    }
}
