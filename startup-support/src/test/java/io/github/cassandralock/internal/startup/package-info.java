/** Tests of {@link io.github.cassandralock.internal.startup}. */
@NullMarked
package io.github.cassandralock.internal.startup;

import org.jspecify.annotations.NullMarked;
