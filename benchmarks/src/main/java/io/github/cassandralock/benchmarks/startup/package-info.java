/** How long an application takes to start, with this project's starter and without it. */
@NullMarked
package io.github.cassandralock.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
