/** What grants and requests add up to. */
@NullMarked
package io.github.cassandralock.testing.statistics;

import org.jspecify.annotations.NullMarked;
