/** The commands: what is measured, and in which order. */
@NullMarked
package io.github.cassandralock.benchmarks;

import org.jspecify.annotations.NullMarked;
