/**
 * The implementation of {@link io.github.cassandralock.DistributedLock} on Spring beans.
 */
@NullMarked
package io.github.cassandralock.internal.aop;

import org.jspecify.annotations.NullMarked;
