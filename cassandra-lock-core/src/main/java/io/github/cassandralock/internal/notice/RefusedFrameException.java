package io.github.cassandralock.internal.notice;

/** A frame that is no notice, or that its sender was not entitled to send. */
class RefusedFrameException extends Exception {

    private static final long serialVersionUID = 1;

    /** @param message completes the sentence "A frame was refused: …" */
    RefusedFrameException(String message) {
        super(message);
    }

    /** It begins as frames of another version do. */
    static final class OtherVersion extends RefusedFrameException {

        private static final long serialVersionUID = 1;

        OtherVersion(byte version, byte known) {
            super("its version is " + version + ", this process knows " + known);
        }
    }
}
