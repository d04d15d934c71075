/** Tells from what happened whether a lock was held by two at once, or promised what it did not keep. */
@NullMarked
package io.github.cassandralock.testing.checkers;

import org.jspecify.annotations.NullMarked;
