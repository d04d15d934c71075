/**
 * Finds deadlocks. Waiting calls are published, and each searches a cycle of which it is the last (lock modes, section 7).
 * Independent of how a lock is taken.
 */
@NullMarked
package io.github.cassandralock.internal.deadlock;

import org.jspecify.annotations.NullMarked;
