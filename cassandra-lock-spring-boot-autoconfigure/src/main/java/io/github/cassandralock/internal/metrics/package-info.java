/**
 * The meters of locks, with Micrometer: how long calls wait and locks are held, what the algorithms count, and what is asked of
 * Cassandra.
 */
@NullMarked
package io.github.cassandralock.internal.metrics;

import org.jspecify.annotations.NullMarked;
