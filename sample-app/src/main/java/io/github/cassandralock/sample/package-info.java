/**
 * A small bank: accounts in Cassandra, read and written without lightweight transactions, so that nothing but a lock
 * keeps two instances from paying out the same money twice.
 */
@NullMarked
package io.github.cassandralock.sample;

import org.jspecify.annotations.NullMarked;
