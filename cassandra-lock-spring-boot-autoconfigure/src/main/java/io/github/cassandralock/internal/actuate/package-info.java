/**
 * What operators see: the health of locking.
 */
@NullMarked
package io.github.cassandralock.internal.actuate;

import org.jspecify.annotations.NullMarked;
