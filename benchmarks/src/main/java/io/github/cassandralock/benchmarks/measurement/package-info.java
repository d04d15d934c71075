/** What grants and requests add up to. */
@NullMarked
package io.github.cassandralock.benchmarks.measurement;

import org.jspecify.annotations.NullMarked;
