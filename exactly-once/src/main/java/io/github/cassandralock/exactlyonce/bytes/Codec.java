package io.github.cassandralock.exactlyonce.bytes;

import java.nio.charset.StandardCharsets;

/**
 * Converts values into bytes and back. Thread-safe. The reading program may be newer or older than the program that wrote.
 *
 * @param <T> the values
 */
public interface Codec<T> {

    /**
     * Encodes a value.
     *
     * @param value to encode
     * @return bytes that {@link #decode} can read
     */
    byte[] encode(T value);

    /**
     * Decodes a value.
     *
     * @param bytes that {@link #encode} made
     * @return the value
     * @throws RuntimeException if the bytes are not a value
     */
    T decode(byte[] bytes);

    /** Bytes without conversion; not copied. */
    static Codec<byte[]> bytes() {
        return new Codec<>() {
            @Override
            public byte[] encode(byte[] value) {
                return value;
            }

            @Override
            public byte[] decode(byte[] bytes) {
                return bytes;
            }
        };
    }

    /** Strings in UTF-8. */
    static Codec<String> utf8() {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return value.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public String decode(byte[] bytes) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
        };
    }
}
