package io.github.cassandralock.internal.store;

/** What a session wants the lock for. */
public enum SlotMode {

    /** Alone. */
    EXCLUSIVE(0);

    private final int code;

    SlotMode(int code) {
        this.code = code;
    }

    /** As it is stored. */
    public byte code() {
        return (byte) code;
    }
}
