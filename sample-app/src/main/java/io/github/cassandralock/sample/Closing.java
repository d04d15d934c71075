package io.github.cassandralock.sample;

import java.time.Instant;

/**
 * The books of one slot of time, closed.
 *
 * @param slot its beginning
 * @param closedBy the instance that did it
 * @param accounts how many there were
 * @param total the sum of their balances
 */
record Closing(Instant slot, String closedBy, long accounts, long total) {}
