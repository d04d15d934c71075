/**
 * Real Apache Cassandra nodes for tests, samples and benchmarks: child processes started from Maven artifacts.
 *
 * <p>{@link io.github.cassandralock.local.LocalCassandra} is the way in.
 */
@NullMarked
package io.github.cassandralock.local;

import org.jspecify.annotations.NullMarked;
