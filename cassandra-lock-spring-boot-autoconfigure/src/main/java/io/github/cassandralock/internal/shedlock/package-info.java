/**
 * The locks as a lock provider of ShedLock.
 */
@NullMarked
package io.github.cassandralock.internal.shedlock;

import org.jspecify.annotations.NullMarked;
