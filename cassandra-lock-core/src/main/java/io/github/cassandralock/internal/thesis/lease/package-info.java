/**
 * The cells that the thesis's algorithms write (thesis, section 5.3). They have a time to live, are rewritten while they are
 * needed, and are deleted afterwards.
 */
@NullMarked
package io.github.cassandralock.internal.thesis.lease;

import org.jspecify.annotations.NullMarked;
