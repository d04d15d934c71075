/**
 * What operators see: the health of locking.
 */
@NullMarked
package io.github.cassandralock.actuate;

import org.jspecify.annotations.NullMarked;
