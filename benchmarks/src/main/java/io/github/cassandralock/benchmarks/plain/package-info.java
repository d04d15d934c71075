/** Messages with an effect in the database that has them: by a method with {@code @ExactlyOnce}, and by a consumer written by hand. */
@NullMarked
package io.github.cassandralock.benchmarks.plain;

import org.jspecify.annotations.NullMarked;
