/**
 * The ports between the algorithms and the world: the small store interfaces, time, and what an algorithm offers to the
 * locker. Plain Java: no Spring, no driver, so that every algorithm runs unchanged in a simulation.
 */
@NullMarked
package io.github.cassandralock.spi;

import org.jspecify.annotations.NullMarked;
