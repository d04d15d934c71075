/**
 * The ports to the store of the ticket lock and of the sessions, and what a store answers. The implementations on Cassandra
 * and the simulated ones of the tests are exact peers.
 */
@NullMarked
package io.github.cassandralock.internal.store;

import org.jspecify.annotations.NullMarked;
