/** Starting locks without Cassandra: an algorithm that is created in the background. */
@NullMarked
package io.github.cassandralock.internal.lazy;

import org.jspecify.annotations.NullMarked;
