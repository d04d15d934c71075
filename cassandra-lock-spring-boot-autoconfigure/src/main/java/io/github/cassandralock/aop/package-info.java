/**
 * {@link io.github.cassandralock.DistributedLock} on Spring beans.
 */
@NullMarked
package io.github.cassandralock.aop;

import org.jspecify.annotations.NullMarked;
