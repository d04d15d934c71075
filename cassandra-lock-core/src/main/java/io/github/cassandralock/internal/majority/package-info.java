/**
 * The algorithm {@code majority}: a lock is held if it is held in a majority of independent clusters. It survives the loss of a
 * whole cluster. Source: docs/majority.md.
 */
@NullMarked
package io.github.cassandralock.internal.majority;

import org.jspecify.annotations.NullMarked;
