/**
 * All schedules of a small scope: the search takes every step that can follow, from every state that it has reached, with the
 * production classes of the algorithm {@code ticket}.
 */
@NullMarked
package io.github.cassandralock.internal.exhaustive;

import org.jspecify.annotations.NullMarked;
