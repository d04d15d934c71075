/** How much computing time one operation costs the nodes. */
@NullMarked
package io.github.cassandralock.benchmarks.cost;

import org.jspecify.annotations.NullMarked;
