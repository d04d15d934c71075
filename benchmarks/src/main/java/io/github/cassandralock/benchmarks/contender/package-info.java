/** Those that want locks: this project's algorithms and their peers, each as an application would use it. */
@NullMarked
package io.github.cassandralock.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
