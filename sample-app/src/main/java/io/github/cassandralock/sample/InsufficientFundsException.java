package io.github.cassandralock.sample;

/** More was to be withdrawn than there is. */
final class InsufficientFundsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InsufficientFundsException(Account account, Amount amount) {
        super("The account '" + account.id() + "' holds " + account.balance() + ", which is less than " + amount.units()
                + ".");
    }
}
