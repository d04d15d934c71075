/** Meters and observations of locks. */
@NullMarked
package io.github.cassandralock.autoconfigure.meters;

import org.jspecify.annotations.NullMarked;
