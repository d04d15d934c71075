/** The Cassandra clusters that tests use, one for all modules of a build where that does no harm. */
@NullMarked
package io.github.cassandralock.testing.clusters;

import org.jspecify.annotations.NullMarked;
