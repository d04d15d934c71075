package io.github.cassandralock.exactlyonce.register;

/** It is unknown whether a compare-and-set was applied. It may have been applied, or may be applied later. */
public class UnknownOutcomeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, to which register, and what to do
     * @param cause what the store threw
     */
    public UnknownOutcomeException(String message, Throwable cause) {
        super(message, cause);
    }
}
