package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Codec;

/**
 * Encodes and decodes a handler's state, in formats that have numbers. A copy stands by if it does not support the format of the
 * present state. A new version of a program may therefore run beside an old one. Thread-safe.
 *
 * @param <S> the state
 */
public interface StateCodec<S> {

    /** The number of the format that {@link #encode} writes. */
    int getFormat();

    /** Whether {@link #decode} reads this format. */
    boolean supports(int format);

    /** Encodes a state. */
    byte[] encode(S state);

    /**
     * Decodes a state. The copy ends if this throws.
     *
     * @param format for which {@link #supports} returns true
     * @param bytes that were encoded in that format
     * @return the state
     */
    S decode(int format, byte[] bytes);

    /**
     * A codec with one format, number 1.
     *
     * @param codec of the state
     * @return a codec that supports no other format
     */
    static <S> StateCodec<S> of(Codec<S> codec) {
        return new StateCodec<>() {
            @Override
            public int getFormat() {
                return 1;
            }

            @Override
            public boolean supports(int format) {
                return format == 1;
            }

            @Override
            public byte[] encode(S state) {
                return codec.encode(state);
            }

            @Override
            public S decode(int format, byte[] bytes) {
                return codec.decode(bytes);
            }
        };
    }
}
