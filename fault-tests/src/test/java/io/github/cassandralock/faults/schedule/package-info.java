/** Faults, when they strike, and what follows. */
@NullMarked
package io.github.cassandralock.faults.schedule;

import org.jspecify.annotations.NullMarked;
