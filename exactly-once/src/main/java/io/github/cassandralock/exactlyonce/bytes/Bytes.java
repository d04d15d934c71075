package io.github.cassandralock.exactlyonce.bytes;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes as a value. The array is shared, so nobody may change it. */
public final class Bytes {

    private static final Bytes NONE = new Bytes(new byte[0]);

    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    /** No bytes. */
    public static Bytes none() {
        return NONE;
    }

    /**
     * These bytes.
     *
     * @param array not to be changed any more
     * @return the value
     */
    public static Bytes of(byte[] array) {
        return new Bytes(array);
    }

    /**
     * A value, encoded.
     *
     * @param codec how
     * @param value what
     * @return its bytes
     */
    public static <T> Bytes of(Codec<T> codec, T value) {
        return new Bytes(codec.encode(value));
    }

    /** The bytes; not to be changed. */
    public byte[] array() {
        return array;
    }

    /**
     * The value that these are the bytes of.
     *
     * @param codec how it was encoded
     * @return the value
     */
    public <T> T as(Codec<T> codec) {
        return codec.decode(array);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Bytes that && Arrays.equals(array, that.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    @Override
    public String toString() {
        return array.length + " bytes";
    }
}
