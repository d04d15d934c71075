package io.github.cassandralock.exactlyonce.register;

/** A register is older than what the store has acknowledged or shown before: the store forgets. Exactly once is lost. */
public class ForgottenWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what happened.
     *
     * @param message which register, what was seen, and what to do
     */
    public ForgottenWriteException(String message) {
        super(message);
    }
}
