/**
 * The meters and observations of locks, with Micrometer: calls and the holds that follow them, what the algorithms count, and
 * the requests to Cassandra. The meters need Micrometer's core, the observations do not.
 */
@NullMarked
package io.github.cassandralock.internal.observation;

import org.jspecify.annotations.NullMarked;
