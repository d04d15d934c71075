/**
 * What meters and traces show of locks: the observations with their names and key values, and what an application may replace
 * by a bean of its own.
 */
@NullMarked
package io.github.cassandralock.observation;

import org.jspecify.annotations.NullMarked;
