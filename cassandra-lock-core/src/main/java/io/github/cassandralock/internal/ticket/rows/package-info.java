/** What rows of a lock and facts about them mean. No I/O. */
@NullMarked
package io.github.cassandralock.internal.ticket.rows;

import org.jspecify.annotations.NullMarked;
