package io.github.cassandralock;

import java.util.Arrays;

/**
 * The value of a lock as a holder sees it ({@link RemoteLock#value()}): some bytes that holders leave for those that come after them.
 * Immutable and thread-safe.
 */
public final class LockValue {

    /** The longest value, in bytes. */
    public static final int MAX_BYTES = 1024;

    private final byte[] bytes;
    private final boolean doubtful;

    private LockValue(byte[] bytes, boolean doubtful) {
        this.bytes = bytes;
        this.doubtful = doubtful;
    }

    /**
     * Makes a value, for algorithms and for tests.
     *
     * @param bytes what holders have left; copied
     * @param doubtful see {@link #isDoubtful()}
     * @return the value
     * @throws IllegalArgumentException if the bytes are null, or more than {@link #MAX_BYTES}
     */
    public static LockValue of(byte[] bytes, boolean doubtful) {
        if (bytes == null) {
            throw new IllegalArgumentException("The value of a lock must not be null; an empty array has no content");
        }
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "The value of a lock has at most " + MAX_BYTES + " bytes, and this one has " + bytes.length
                            + "; store the data in a table, and its key in the value");
        }
        return new LockValue(bytes.clone(), doubtful);
    }

    /**
     * Returns the bytes.
     *
     * @return a copy; empty if no holder has ever left a value
     */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * Tells whether what the value describes may have changed since: a holder that was about to change it has crashed, or has lost
     * the lock. The bytes are then those of the last holder before it that ended properly. It stays doubtful until a holder sets
     * another one and releases the lock.
     *
     * <p>A holder in mode {@link LockMode#CONCURRENT_READ} is not protected: for it, the value is doubtful also while a holder in mode
     * {@link LockMode#PROTECTED_WRITE} may be changing it.
     *
     * @return true if it cannot be relied on
     */
    public boolean isDoubtful() {
        return doubtful;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockValue value && doubtful == value.doubtful && Arrays.equals(bytes, value.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(bytes) + Boolean.hashCode(doubtful);
    }

    /** Says how long it is. The content may be confidential, and is not shown. */
    @Override
    public String toString() {
        return "LockValue[" + bytes.length + " bytes" + (doubtful ? ", doubtful]" : "]");
    }
}
