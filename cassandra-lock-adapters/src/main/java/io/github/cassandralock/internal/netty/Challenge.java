package io.github.cassandralock.internal.netty;

import io.github.cassandralock.internal.notice.FramePlace;
import io.netty.buffer.ByteBuf;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The first frame on each connection, from the side that accepted it: the version, and random bytes. The bytes are unique to the
 * connection, and the codes of all its frames cover them. A frame that was recorded on another connection is worthless here.
 */
final class Challenge {

    /** The version of all frames that are not empty. */
    static final byte VERSION = 3;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Challenge() {}

    static byte[] create() {
        byte[] challenge = new byte[FramePlace.CHALLENGE_BYTES];
        RANDOM.nextBytes(challenge);
        return challenge;
    }

    static byte[] frame(byte[] challenge) {
        byte[] frame = new byte[1 + challenge.length];
        frame[0] = VERSION;
        System.arraycopy(challenge, 0, frame, 1, challenge.length);
        return frame;
    }

    /** Reads the bytes from a frame; empty if it is no challenge of this version. */
    static Optional<byte[]> read(ByteBuf frame) {
        if (frame.readableBytes() != 1 + FramePlace.CHALLENGE_BYTES || frame.readByte() != VERSION) {
            return Optional.empty();
        }
        return Optional.of(Frames.copy(frame));
    }
}
