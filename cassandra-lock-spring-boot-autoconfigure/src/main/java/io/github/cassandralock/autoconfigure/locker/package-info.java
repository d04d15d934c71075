/** The locker and its algorithm, and in which order they begin and end. */
@NullMarked
package io.github.cassandralock.autoconfigure.locker;

import org.jspecify.annotations.NullMarked;
