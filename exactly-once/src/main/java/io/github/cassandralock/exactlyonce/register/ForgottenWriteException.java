package io.github.cassandralock.exactlyonce.register;

/**
 * A register is older than a version that the store has acknowledged or shown before: the store forgets writes. Exactly once is
 * lost.
 */
public class ForgottenWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which register, what was seen, and what to do
     */
    public ForgottenWriteException(String message) {
        super(message);
    }
}
