/**
 * What meters and traces show of locks: the observations with their names and key values. An application may replace some by
 * beans of its own.
 */
@NullMarked
package io.github.cassandralock.observation;

import org.jspecify.annotations.NullMarked;
