/** The settings, and what the process remembers across its locks. */
@NullMarked
package io.github.cassandralock.internal.ticket.process;

import org.jspecify.annotations.NullMarked;
