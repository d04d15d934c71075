/**
 * The interfaces that an application may implement: {@link io.github.cassandralock.spi.LockAlgorithm}, together with the
 * attempts and grants that it returns, and {@link io.github.cassandralock.spi.WallClock}. A bean of either type replaces the
 * built-in implementation.
 */
@NullMarked
package io.github.cassandralock.spi;

import org.jspecify.annotations.NullMarked;
