/** How a lock is acquired (protocol, section 2): one attempt after W1, R1, W2 and R. */
@NullMarked
package io.github.cassandralock.internal.ticket.attempt;

import org.jspecify.annotations.NullMarked;
