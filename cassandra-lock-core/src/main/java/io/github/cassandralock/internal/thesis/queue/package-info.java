/**
 * The thesis's fair algorithm (section 5, listings 6 to 8): a queue of cells in order of arrival, and a main row in
 * which the holder must find itself alone.
 */
@NullMarked
package io.github.cassandralock.internal.thesis.queue;

import org.jspecify.annotations.NullMarked;
