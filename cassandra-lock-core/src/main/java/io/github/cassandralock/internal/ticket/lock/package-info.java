/** One lock in this process: an actor receives the events, and carries out what the states of the slots decide. */
@NullMarked
package io.github.cassandralock.internal.ticket.lock;

import org.jspecify.annotations.NullMarked;
