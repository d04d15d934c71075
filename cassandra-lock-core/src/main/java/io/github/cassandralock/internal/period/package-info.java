/** Periods for which work runs once, and their form as the value of a lock. */
@NullMarked
package io.github.cassandralock.internal.period;

import org.jspecify.annotations.NullMarked;
