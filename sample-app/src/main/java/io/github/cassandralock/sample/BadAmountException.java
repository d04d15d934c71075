package io.github.cassandralock.sample;

/** What was to be moved is no {@link Amount}. */
final class BadAmountException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadAmountException(String text) {
        super(message(text));
    }

    BadAmountException(String text, NumberFormatException cause) {
        super(message(text), cause);
    }

    private static String message(String text) {
        return "The amount must be a whole number from 1 to " + Amount.MOST + ", not '" + text + "'.";
    }
}
