/** Counters of sessions, leases and notices of this process, for operators. No decision depends on them. */
@NullMarked
package io.github.cassandralock.internal.counter;

import org.jspecify.annotations.NullMarked;
