/**
 * The fair algorithm of the thesis (section 5, listings 6 to 8): a queue of cells in order of arrival, and a main row in which
 * only the holder has a cell.
 */
@NullMarked
package io.github.cassandralock.internal.thesis.queue;

import org.jspecify.annotations.NullMarked;
