/** Nodes, workers and what is between them. */
@NullMarked
package io.github.cassandralock.faults.cluster;

import org.jspecify.annotations.NullMarked;
