/** How messages write what people read: durations, and warnings that come in thousands. */
@NullMarked
package io.github.cassandralock.internal.text;

import org.jspecify.annotations.NullMarked;
