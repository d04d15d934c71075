/** Decisions about the rows of a lock, and about facts from notices. No I/O. */
@NullMarked
package io.github.cassandralock.internal.ticket.rows;

import org.jspecify.annotations.NullMarked;
