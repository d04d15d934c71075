/**
 * The task: two streams of numbers, the average of the last seconds to an output queue, and a counter in a database,
 * raised whenever the window has more numbers than a threshold. Each instance of the application runs a copy, all
 * copies work at the same time, and each number counts once.
 */
@NullMarked
package io.github.cassandralock.sample.window;

import org.jspecify.annotations.NullMarked;
