package io.github.cassandralock.sample;

/**
 * Two accounts as they are after money has moved between them.
 *
 * @param from the account that paid
 * @param to the account that was paid
 */
record Transfer(Account from, Account to) {}
