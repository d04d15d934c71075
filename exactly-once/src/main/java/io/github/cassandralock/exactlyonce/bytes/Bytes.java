package io.github.cassandralock.exactlyonce.bytes;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes as a value. The array is shared and must not be changed. */
public final class Bytes {

    private static final Bytes NONE = new Bytes(new byte[0]);

    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    public static Bytes none() {
        return NONE;
    }

    /**
     * @param array must not be changed any more
     * @return the value
     */
    public static Bytes of(byte[] array) {
        return new Bytes(array);
    }

    /**
     * Encodes a value.
     *
     * @param codec encodes it
     * @param value to encode
     * @return its bytes
     */
    public static <T> Bytes of(Codec<T> codec, T value) {
        return new Bytes(codec.encode(value));
    }

    /** The bytes; must not be changed. */
    public byte[] toArray() {
        return array;
    }

    /**
     * Decodes the value.
     *
     * @param codec that encoded it
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
