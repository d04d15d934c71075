/** Calls that wait: for one lock, for several locks, for another mode, or for an answer about a held lock. */
@NullMarked
package io.github.cassandralock.internal.locker.call;

import org.jspecify.annotations.NullMarked;
