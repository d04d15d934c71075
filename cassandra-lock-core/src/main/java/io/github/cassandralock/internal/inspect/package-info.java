/**
 * What operators see of locks: holders, waiters, sessions, and the locks of this process. It takes and decides no lock. The
 * algorithms and the locker implement these ports.
 */
@NullMarked
package io.github.cassandralock.internal.inspect;

import org.jspecify.annotations.NullMarked;
