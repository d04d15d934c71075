/**
 * Monotonic time and timers: the only time that decisions about leases use.
 */
@NullMarked
package io.github.cassandralock.internal.time;

import org.jspecify.annotations.NullMarked;
