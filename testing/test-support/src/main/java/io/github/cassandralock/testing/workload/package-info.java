/** Threads that take locks, what the locks protect, and what the threads record. */
@NullMarked
package io.github.cassandralock.testing.workload;

import org.jspecify.annotations.NullMarked;
