/**
 * The interfaces that an application may implement: {@link io.github.cassandralock.spi.LockAlgorithm}, together with the
 * attempts and grants that it returns, and {@link io.github.cassandralock.spi.WallClock}. A bean of either type replaces the
 * built-in implementation.
 */
@Experimental
@NullMarked
package io.github.cassandralock.spi;

import io.github.cassandralock.Experimental;
import org.jspecify.annotations.NullMarked;
