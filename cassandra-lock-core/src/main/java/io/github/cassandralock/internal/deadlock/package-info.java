/**
 * Finds deadlocks: calls that wait are published, and each looks for a cycle of which it is the last (lock modes, section 7). Knows
 * nothing of how a lock is taken.
 */
@NullMarked
package io.github.cassandralock.internal.deadlock;

import org.jspecify.annotations.NullMarked;
