/** Calls that wait: for a lock, for several, for another mode of a lock, or for an answer about a held lock. */
@NullMarked
package io.github.cassandralock.internal.locker.call;

import org.jspecify.annotations.NullMarked;
