package io.github.cassandralock.internal.notice;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The authentication code at the end of a frame: HMAC-SHA256 over all bytes before it. Without state. */
final class NoticeCode {

    static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private NoticeCode() {}

    /** Writes the code of all other bytes into the last ones. */
    static void append(byte[] frame, byte[] secret) {
        int length = frame.length - BYTES;
        System.arraycopy(of(frame, length, secret), 0, frame, length, BYTES);
    }

    /** Whether a frame ends in its code. Takes the same time wherever the first wrong byte is. */
    static boolean isRight(byte[] frame, byte[] secret) {
        int length = frame.length - BYTES;
        byte[] right = of(frame, length, secret);
        byte[] given = new byte[BYTES];
        System.arraycopy(frame, length, given, 0, BYTES);
        return MessageDigest.isEqual(right, given);
    }

    private static byte[] of(byte[] frame, int length, byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update(frame, 0, length);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JVM has " + ALGORITHM + ", but this one has not", e);
        }
    }
}
