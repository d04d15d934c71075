/** The settings, and the records that a process keeps across its locks. */
@NullMarked
package io.github.cassandralock.internal.ticket.process;

import org.jspecify.annotations.NullMarked;
