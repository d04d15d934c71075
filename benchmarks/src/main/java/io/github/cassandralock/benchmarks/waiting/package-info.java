/** What the search for deadlocks costs: many owners that hold locks and wait, and many that take locks in one order. */
@NullMarked
package io.github.cassandralock.benchmarks.waiting;

import org.jspecify.annotations.NullMarked;
