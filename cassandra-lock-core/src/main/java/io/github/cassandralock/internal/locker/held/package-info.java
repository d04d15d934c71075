/** The granted locks of a locker: their state, their minimum times, their owners, and the search for abandoned ones. */
@NullMarked
package io.github.cassandralock.internal.locker.held;

import org.jspecify.annotations.NullMarked;
