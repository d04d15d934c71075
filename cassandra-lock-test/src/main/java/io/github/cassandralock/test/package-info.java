/**
 * Support for tests of applications: locks in memory ({@link io.github.cassandralock.test.InMemoryRemoteLocker}), their use in
 * Spring's tests ({@link io.github.cassandralock.test.InMemoryLocks}), and a real node ({@link
 * io.github.cassandralock.test.WithLocalCassandra}).
 */
@NullMarked
package io.github.cassandralock.test;

import org.jspecify.annotations.NullMarked;
