package io.github.cassandralock.exactlyonce.store;

import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;

/**
 * Converts the exceptions of a store's driver into exceptions of the port.
 *
 * @param place where the registers are, for messages, such as {@code the table registers of PostgreSQL}
 * @param advice what to do if the store refuses; a sentence
 */
public record StoreFailures(String place, String advice) {

    /** The exception for a read that failed. A read has no effect, so its outcome is never unknown. */
    public RuntimeException ofRead(String register, FailureMeaning meaning, Throwable cause) {
        return meaning == FailureMeaning.REFUSED
                ? refused("The read", register, cause)
                : new RegisterUnavailableException(
                        "The register '" + register + "' could not be read from " + place + ": " + cause
                                + ". Read again; if this goes on, check whether the store is up.",
                        cause);
    }

    /** The exception for a compare-and-set that failed. */
    public RuntimeException ofCompareAndSet(String register, FailureMeaning meaning, Throwable cause) {
        return switch (meaning) {
            case REFUSED -> refused("The compare-and-set", register, cause);
            case NOT_APPLIED ->
                new RegisterUnavailableException(
                        "The compare-and-set of the register '" + register + "' was not applied to " + place + ": "
                                + cause + ". Send it again; if this goes on, check whether the store is up.",
                        cause);
            case UNKNOWN ->
                new UnknownOutcomeException(
                        "It is unknown whether the compare-and-set of the register '" + register + "' was applied to "
                                + place + ", or will be: " + cause
                                + ". Send the same request again, with the same write id.",
                        cause);
        };
    }

    private RegisterRefusedException refused(String what, String register, Throwable cause) {
        return new RegisterRefusedException(
                what + " of the register '" + register + "' was refused by " + place + ": " + cause + ". " + advice,
                cause);
    }
}
