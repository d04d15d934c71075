/** One lock in this process: an actor, where events come in. It does what the states of its slots decide. */
@NullMarked
package io.github.cassandralock.internal.ticket.lock;

import org.jspecify.annotations.NullMarked;
