/**
 * The fair algorithm of the thesis (section 5, listings 6 to 8). It has a queue of cells in order of arrival, and a main row for
 * the holder's cell alone.
 */
@NullMarked
package io.github.cassandralock.internal.thesis.queue;

import org.jspecify.annotations.NullMarked;
