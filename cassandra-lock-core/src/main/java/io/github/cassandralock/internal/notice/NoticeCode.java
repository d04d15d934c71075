package io.github.cassandralock.internal.notice;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The authentication code at the end of frames to one session: HMAC-SHA256 over the frame's place and all bytes before the code,
 * under the session's secret. Thread-safe; one thread computes at a time.
 */
final class NoticeCode {

    static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    /** Has the key: a new Mac for each frame would cost more than the code. Guarded by itself. */
    private final Mac mac;

    NoticeCode(byte[] secret) {
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JVM has " + ALGORITHM + ", but this JVM has not", e);
        }
    }

    /** Writes the code of all other bytes into the last ones. */
    void append(byte[] frame, FramePlace place) {
        int length = frame.length - BYTES;
        System.arraycopy(of(frame, length, place), 0, frame, length, BYTES);
    }

    /** Whether a frame ends in its code. Takes equal time wherever the first wrong byte is. */
    boolean isRight(byte[] frame, FramePlace place) {
        int length = frame.length - BYTES;
        byte[] right = of(frame, length, place);
        byte[] given = new byte[BYTES];
        System.arraycopy(frame, length, given, 0, BYTES);
        return MessageDigest.isEqual(right, given);
    }

    private byte[] of(byte[] frame, int length, FramePlace place) {
        synchronized (mac) {
            mac.update(place.bytes());
            mac.update(frame, 0, length);
            return mac.doFinal();
        }
    }
}
