/**
 * The cells that the thesis's algorithms write: they have a time to live, are rewritten while they are needed, and are deleted
 * afterwards (thesis, section 5.3).
 */
@NullMarked
package io.github.cassandralock.internal.thesis.lease;

import org.jspecify.annotations.NullMarked;
