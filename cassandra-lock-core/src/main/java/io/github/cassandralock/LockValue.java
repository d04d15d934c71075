package io.github.cassandralock;

import java.util.Arrays;

/**
 * The value of a lock as a holder sees it ({@link RemoteLock#readValue()}): bytes that a holder stores for later holders. Immutable and
 * thread-safe.
 */
@Experimental
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
     * Creates a value, for algorithms and tests.
     *
     * @param bytes the stored bytes; copied
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
                    "The value of a lock has at most " + MAX_BYTES + " bytes, and this value has " + bytes.length
                            + "; store the data in a table, and its key in the value");
        }
        return new LockValue(bytes.clone(), doubtful);
    }

    /**
     * Returns the bytes.
     *
     * @return a copy; empty if no holder has ever stored a value
     */
    public byte[] getBytes() {
        return bytes.clone();
    }

    /**
     * Returns whether a holder crashed or lost the lock while it was about to change what the value describes. What the value
     * describes may have changed then. The bytes come from the last holder that ended properly. The value stays doubtful until a
     * holder sets a new value and releases the lock.
     *
     * <p>For a holder in mode {@link LockMode#CONCURRENT_READ}, the value is also doubtful while a holder in mode {@link
     * LockMode#PROTECTED_WRITE} may change it.
     *
     * @return true if the value is unreliable
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

    /** Shows the length only, because the content may be confidential. */
    @Override
    public String toString() {
        return "LockValue[" + bytes.length + " bytes" + (doubtful ? ", doubtful]" : "]");
    }
}
