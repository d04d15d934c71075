/** What a caller asks for, and what it has. */
@NullMarked
package io.github.cassandralock.internal.ticket.handle;

import org.jspecify.annotations.NullMarked;
