/**
 * The meters and observations of locks, with Micrometer: calls and their holds, what the algorithms count, and requests to
 * Cassandra. The meters need Micrometer's core, the observations do not.
 */
@NullMarked
package io.github.cassandralock.internal.observation;

import org.jspecify.annotations.NullMarked;
