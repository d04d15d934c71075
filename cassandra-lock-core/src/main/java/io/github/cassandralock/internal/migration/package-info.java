/**
 * The algorithm {@code migration}: combines two algorithms, for processes that change from one to the other (thesis,
 * section 7.2).
 */
@NullMarked
package io.github.cassandralock.internal.migration;

import org.jspecify.annotations.NullMarked;
