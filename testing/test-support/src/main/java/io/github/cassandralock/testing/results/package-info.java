/** Results of benchmarks: the files that are committed, and the tables that are made of them. */
@NullMarked
package io.github.cassandralock.testing.results;

import org.jspecify.annotations.NullMarked;
