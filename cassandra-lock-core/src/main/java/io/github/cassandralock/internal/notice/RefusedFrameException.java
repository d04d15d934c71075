package io.github.cassandralock.internal.notice;

/** A frame that is no notice, or that its sender was not entitled to send. */
final class RefusedFrameException extends Exception {

    private static final long serialVersionUID = 1;

    /** @param message completes the sentence "A frame was refused: …" */
    RefusedFrameException(String message) {
        super(message);
    }
}
