/** What one slot of this process is used for: decisions without I/O. All else is reached by {@code LockView}. */
@NullMarked
package io.github.cassandralock.internal.ticket.slot;

import org.jspecify.annotations.NullMarked;
