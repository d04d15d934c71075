/** How algorithms run without threads: sequences of steps, tasks that run one at a time, and deadlines. */
@NullMarked
package io.github.cassandralock.internal.steps;

import org.jspecify.annotations.NullMarked;
