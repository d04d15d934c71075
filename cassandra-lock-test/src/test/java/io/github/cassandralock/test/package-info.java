/** Tests of {@link io.github.cassandralock.test}. */
@NullMarked
package io.github.cassandralock.test;

import org.jspecify.annotations.NullMarked;
