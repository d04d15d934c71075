/**
 * What one slot of this process is used for: decisions without I/O. {@code LockAccess} is the only way to the rest of the lock. An
 * attempt receives its own events, and must not report its end while it does.
 */
@NullMarked
package io.github.cassandralock.internal.ticket.slot;

import org.jspecify.annotations.NullMarked;
