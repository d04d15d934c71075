/**
 * The assembly of a locker on Cassandra, with and without Spring: settings, tables, algorithms, the port of notices, inspections.
 */
@NullMarked
package io.github.cassandralock.internal.assembly;

import org.jspecify.annotations.NullMarked;
