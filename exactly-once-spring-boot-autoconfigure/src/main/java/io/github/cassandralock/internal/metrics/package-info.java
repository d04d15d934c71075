/** The meters of copies, with Micrometer. */
@NullMarked
package io.github.cassandralock.internal.metrics;

import org.jspecify.annotations.NullMarked;
