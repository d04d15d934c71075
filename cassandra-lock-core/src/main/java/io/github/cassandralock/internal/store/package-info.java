/**
 * The ports to the store of the ticket lock and of the sessions, and the answers of a store. Cassandra and the simulation of the
 * tests implement the same ports.
 */
@NullMarked
package io.github.cassandralock.internal.store;

import org.jspecify.annotations.NullMarked;
