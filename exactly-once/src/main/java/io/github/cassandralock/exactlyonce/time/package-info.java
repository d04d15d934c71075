/** Pauses, durations and calendar time, each behind one interface. */
@NullMarked
package io.github.cassandralock.exactlyonce.time;

import org.jspecify.annotations.NullMarked;
