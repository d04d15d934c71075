/**
 * The implementation of {@link io.github.cassandralock.RemoteLocker}. It refuses invalid input, requests locks of the algorithm,
 * and creates the handles. It works with every {@link io.github.cassandralock.spi.LockAlgorithm} and depends on none.
 */
@NullMarked
package io.github.cassandralock.internal.locker;

import org.jspecify.annotations.NullMarked;
