/**
 * The assembly of a locker on Cassandra: settings with their bounds, tables, algorithms, the port of notices, inspections. With and without
 * Spring, lockers are made of these.
 */
@NullMarked
package io.github.cassandralock.internal.assembly;

import org.jspecify.annotations.NullMarked;
