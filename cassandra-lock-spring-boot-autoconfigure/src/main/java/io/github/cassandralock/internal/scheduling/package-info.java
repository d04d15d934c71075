/** The timers of the locks on a Spring {@link org.springframework.scheduling.TaskScheduler}. */
@NullMarked
package io.github.cassandralock.internal.scheduling;

import org.jspecify.annotations.NullMarked;
