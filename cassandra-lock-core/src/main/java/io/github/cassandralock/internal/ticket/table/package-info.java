/** The rows of this process in a lock's partition: read, written, repeated, evicted. */
@NullMarked
package io.github.cassandralock.internal.ticket.table;

import org.jspecify.annotations.NullMarked;
