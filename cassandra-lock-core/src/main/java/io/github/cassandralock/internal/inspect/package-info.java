/**
 * What people are shown about locks: who holds one, who waits behind whom, which sessions there are, and what this process holds.
 * No lock is taken or decided by it. The algorithms and the locker implement these ports.
 */
@NullMarked
package io.github.cassandralock.internal.inspect;

import org.jspecify.annotations.NullMarked;
