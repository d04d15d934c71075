package io.github.cassandralock.exactlyonce.register;

/** The store refuses a request permanently, for example without permission or table. Another request does not help. */
public class RegisterRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, to which register, and what to do
     * @param cause what the store threw
     */
    public RegisterRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
