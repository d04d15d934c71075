package io.github.cassandralock.internal.notice;

/** A frame is no notice, or its sender was not entitled to send it. */
class RefusedFrameException extends Exception {

    private static final long serialVersionUID = 1;

    /** @param message completes the sentence "A frame was refused: …" */
    RefusedFrameException(String message) {
        super(message);
    }

    /** The frame begins like frames of another version. */
    static final class OtherVersion extends RefusedFrameException {

        private static final long serialVersionUID = 1;

        OtherVersion(byte version, byte known) {
            super("its version is " + version + ", and this process reads version " + known);
        }
    }
}
