/**
 * The API for applications: {@link io.github.cassandralock.RemoteLocker}, the locks that it grants, the annotation {@link
 * io.github.cassandralock.DistributedLock}, the listener and the exceptions. It depends neither on Spring nor on the driver.
 */
@NullMarked
package io.github.cassandralock;

import org.jspecify.annotations.NullMarked;
