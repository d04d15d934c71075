/** Where the time of a single lock goes: between client, coordinator and replicas. */
@NullMarked
package io.github.cassandralock.benchmarks.anatomy;

import org.jspecify.annotations.NullMarked;
