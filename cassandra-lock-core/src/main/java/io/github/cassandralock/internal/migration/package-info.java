/** The algorithm {@code migration}: two algorithms as one, for a fleet that moves from one to the other (thesis, section 7.2). */
@NullMarked
package io.github.cassandralock.internal.migration;

import org.jspecify.annotations.NullMarked;
