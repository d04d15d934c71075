package io.github.cassandralock.exactlyonce.register;

/** The store does not answer, and the request certainly had no effect. Another request may succeed. */
public class RegisterUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, to which register, and what to do
     * @param cause what the store threw
     */
    public RegisterUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
