/** How a lock is acquired: one attempt by the steps W1, R1, W2 and R (protocol, section 2). */
@NullMarked
package io.github.cassandralock.internal.ticket.attempt;

import org.jspecify.annotations.NullMarked;
