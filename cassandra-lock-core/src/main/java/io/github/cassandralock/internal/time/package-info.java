/**
 * The monotonic clock and the timers. Decisions about leases use no other clock.
 */
@NullMarked
package io.github.cassandralock.internal.time;

import org.jspecify.annotations.NullMarked;
