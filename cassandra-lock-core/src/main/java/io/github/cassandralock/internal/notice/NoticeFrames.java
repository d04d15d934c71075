package io.github.cassandralock.internal.notice;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Notices as frames of bytes, authenticated by the receiver's code (notices, section 6). Whatever bytes come, reading
 * ends in a notice or in a {@link RefusedFrameException}. Without state.
 */
final class NoticeFrames {

    /** The longest frame. */
    static final int LONGEST = 64 * 1024;

    static final byte VERSION = 3;
    private static final int UUID_BYTES = 16;
    private static final int RECEIVER_AT = 1 + UUID_BYTES;
    private static final int BODY_AT = RECEIVER_AT + UUID_BYTES;

    private NoticeFrames() {}

    /**
     * A frame whose code is not checked yet.
     *
     * @param from the session that the frame names as its sender
     * @param to the session that the frame names as its receiver
     */
    @SuppressWarnings("ArrayRecordComponent") // read only, and never compared
    record Unverified(UUID from, UUID to, byte[] frame) {

        /** Reads the notice if the frame's code is right at this place. */
        Notice verified(NoticeCode code, FramePlace place) throws RefusedFrameException {
            if (!code.isRight(frame, place)) {
                throw new RefusedFrameException("its authentication code is wrong");
            }
            return NoticeBody.read(ByteBuffer.wrap(frame, BODY_AT, frame.length - BODY_AT - NoticeCode.BYTES)
                    .slice());
        }
    }

    /** A frame that is complete except for its code. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Uncoded(byte[] frame, NoticeCode code) implements UnsentFrame {

        @Override
        public int length() {
            return frame.length;
        }

        @Override
        public byte[] at(FramePlace place) {
            code.append(frame, place);
            return frame;
        }
    }

    /**
     * Returns the frame of a notice. If not all facts fit, the first one and as many others as fit are sent.
     *
     * @param code of the receiver
     * @return null if the notice does not fit into a frame
     */
    static @Nullable UnsentFrame write(UUID from, UUID to, Notice notice, NoticeCode code) {
        byte[] lockId = notice.lockId().getBytes(StandardCharsets.UTF_8);
        int overhead = BODY_AT + NoticeCode.BYTES;
        int bodyLength = NoticeBody.length(notice, lockId, LONGEST - overhead);
        if (overhead + bodyLength > LONGEST) {
            return null;
        }
        byte[] frame = new byte[overhead + bodyLength];
        ByteBuffer buffer = ByteBuffer.wrap(frame).put(VERSION);
        put(buffer, from);
        put(buffer, to);
        NoticeBody.write(buffer, notice, lockId, bodyLength);
        return new Uncoded(frame, code);
    }

    /** Reads only the sender and the receiver of a frame. */
    static Unverified read(byte[] frame) throws RefusedFrameException {
        if (frame.length < BODY_AT + NoticeCode.BYTES || frame.length > LONGEST) {
            throw new RefusedFrameException("its length is " + frame.length + " bytes, which is too short or too long");
        }
        if (frame[0] != VERSION) {
            throw new RefusedFrameException.OtherVersion(frame[0], VERSION);
        }
        ByteBuffer buffer = ByteBuffer.wrap(frame, 1, frame.length - 1);
        return new Unverified(uuid(buffer), uuid(buffer), frame);
    }

    static void put(ByteBuffer frame, UUID id) {
        frame.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    static UUID uuid(ByteBuffer frame) {
        return new UUID(frame.getLong(), frame.getLong());
    }
}
