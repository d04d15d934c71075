/** What a step of a handler costs with several outputs. */
@NullMarked
package io.github.cassandralock.benchmarks.outputs;

import org.jspecify.annotations.NullMarked;
