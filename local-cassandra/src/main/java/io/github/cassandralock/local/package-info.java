/**
 * Real Apache Cassandra nodes for tests, samples and benchmarks: child processes started from Maven artifacts.
 *
 * <p>Begin with {@link io.github.cassandralock.local.LocalCassandra}.
 */
@NullMarked
package io.github.cassandralock.local;

import org.jspecify.annotations.NullMarked;
