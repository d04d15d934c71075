/**
 * Support for the tests of applications: locks in memory ({@link io.github.cassandralock.test.InMemoryRemoteLocker}), put into
 * Spring's test contexts by {@link io.github.cassandralock.test.InMemoryLocks}, and a real node by {@link
 * io.github.cassandralock.test.WithLocalCassandra}.
 */
@NullMarked
package io.github.cassandralock.test;

import org.jspecify.annotations.NullMarked;
