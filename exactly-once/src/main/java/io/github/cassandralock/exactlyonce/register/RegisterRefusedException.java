package io.github.cassandralock.exactlyonce.register;

/** The store refuses a request for good, such as without permission or table. Asking again does not help. */
public class RegisterRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what happened.
     *
     * @param message what happened, to which register, and what to do
     * @param cause what the store threw
     */
    public RegisterRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
