package io.github.cassandralock.sample;

/**
 * Money that moves.
 *
 * @param units a whole number from 1 to {@value #MOST}
 */
record Amount(long units) {

    static final long MOST = 1_000_000_000;

    Amount {
        if (units < 1 || units > MOST) {
            throw new BadAmountException(String.valueOf(units));
        }
    }

    /**
     * Reads what a caller wrote.
     *
     * @throws BadAmountException if that is no whole number, or not within the bounds
     */
    static Amount parse(String text) {
        try {
            return new Amount(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new BadAmountException(text, e);
        }
    }
}
