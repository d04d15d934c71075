/** The stores on Cassandra: tables, statements, and what a driver's exception means for a write. Does not use the algorithms. */
@NullMarked
package io.github.cassandralock.internal.cassandra;

import org.jspecify.annotations.NullMarked;
