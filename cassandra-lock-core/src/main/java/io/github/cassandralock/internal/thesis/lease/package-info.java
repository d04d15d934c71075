/**
 * What the thesis's algorithms share: cells that carry a time to live, are rewritten while they are needed, and are
 * deleted when they are not (thesis, section 5.3).
 */
@NullMarked
package io.github.cassandralock.internal.thesis.lease;

import org.jspecify.annotations.NullMarked;
