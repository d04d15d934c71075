/**
 * What an application sees: {@link io.github.cassandralock.RemoteLocker}, the locks it hands out, the annotation, the
 * listener and the exceptions. Nothing here depends on Spring, on the driver or on an algorithm.
 */
@NullMarked
package io.github.cassandralock;

import org.jspecify.annotations.NullMarked;
