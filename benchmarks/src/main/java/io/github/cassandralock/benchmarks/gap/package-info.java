/** For how long nothing comes out when a worker is killed: one of two copies of a handler, or the holder of a lock. */
@NullMarked
package io.github.cassandralock.benchmarks.gap;

import org.jspecify.annotations.NullMarked;
