package io.github.cassandralock.internal.notice;

import java.nio.ByteBuffer;

/**
 * Where a frame is sent (notices, section 6). A frame's code covers its place, so a frame is authentic at this place only.
 *
 * @param challenge the random bytes that the receiver has sent on this connection; {@link #CHALLENGE_BYTES} of them
 * @param number how many frames were sent on this connection before, without empty ones
 */
@SuppressWarnings("ArrayRecordComponent") // read only, and never compared
public record FramePlace(byte[] challenge, long number) {

    /** Two connections never have the same challenge. */
    public static final int CHALLENGE_BYTES = 16;

    /** The bytes of the place, which the code covers before the frame's own bytes. */
    byte[] bytes() {
        return ByteBuffer.allocate(challenge.length + Long.BYTES)
                .put(challenge)
                .putLong(number)
                .array();
    }
}
