/**
 * The stores on Cassandra: tables, statements, and what the driver's errors mean for a write. It sees no algorithm.
 */
@NullMarked
package io.github.cassandralock.internal.cassandra;

import org.jspecify.annotations.NullMarked;
