package io.github.cassandralock.exactlyonce.register;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a register at some time. Immutable: the bytes are copied.
 *
 * <p>Versions count 0, 1, 2, … and never repeat. Version 0 means that nobody has written the register: it has no value and no write
 * id.
 */
public final class StoredValue {

    private static final StoredValue NEVER_WRITTEN = new StoredValue(0, null, new byte[0]);

    private final long version;
    private final @Nullable WriteId writtenBy;
    private final byte[] value;

    private StoredValue(long version, @Nullable WriteId writtenBy, byte[] value) {
        this.version = version;
        this.writtenBy = writtenBy;
        this.value = value;
    }

    /** A register that nobody has written. */
    public static StoredValue neverWritten() {
        return NEVER_WRITTEN;
    }

    /**
     * A version that a write has made.
     *
     * @param version at least 1
     * @param writtenBy the write
     * @param value what was written; copied
     * @return this version
     * @throws IllegalArgumentException if the version is less than 1
     */
    public static StoredValue of(long version, WriteId writtenBy, byte[] value) {
        if (version < 1) {
            throw new IllegalArgumentException("A version that was written is at least 1, not " + version);
        }
        return new StoredValue(version, Objects.requireNonNull(writtenBy, "writtenBy"), value.clone());
    }

    /** At least 0; 0 if nobody has written the register. */
    public long getVersion() {
        return version;
    }

    /** Whether the given write made this version. */
    public boolean isWrittenBy(WriteId write) {
        return write.equals(writtenBy);
    }

    /** A copy of the value. Empty if nobody has written the register. */
    public byte[] getValue() {
        return value.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredValue that
                && version == that.version
                && Objects.equals(writtenBy, that.writtenBy)
                && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(version, writtenBy, Arrays.hashCode(value));
    }

    @Override
    public String toString() {
        return "version " + version + " (" + value.length + " bytes) written by " + writtenBy;
    }
}
