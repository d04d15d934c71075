/** The requests of callers, and the handles of holders. */
@NullMarked
package io.github.cassandralock.internal.ticket.handle;

import org.jspecify.annotations.NullMarked;
