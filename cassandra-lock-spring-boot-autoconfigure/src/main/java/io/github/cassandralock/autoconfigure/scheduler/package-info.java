/** The scheduler on which leases are renewed. The application's own work never runs on it. */
@NullMarked
package io.github.cassandralock.autoconfigure.scheduler;

import org.jspecify.annotations.NullMarked;
