/** What much of everything costs: locks, waiters, sessions, lock ids that come and go, and time. */
@NullMarked
package io.github.cassandralock.benchmarks.limits;

import org.jspecify.annotations.NullMarked;
