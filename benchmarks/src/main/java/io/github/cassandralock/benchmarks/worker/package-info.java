/** Processes that do what the benchmark orders: a JVM each, as the instances of an application are. */
@NullMarked
package io.github.cassandralock.benchmarks.worker;

import org.jspecify.annotations.NullMarked;
