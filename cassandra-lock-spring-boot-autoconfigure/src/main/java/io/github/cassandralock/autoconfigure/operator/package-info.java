/** What operators see of locks, and how they force-release one: health, the endpoint. */
@NullMarked
package io.github.cassandralock.autoconfigure.operator;

import org.jspecify.annotations.NullMarked;
