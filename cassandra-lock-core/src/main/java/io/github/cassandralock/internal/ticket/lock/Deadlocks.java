package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.internal.deadlock.DeadlockDetector;
import io.github.cassandralock.internal.ticket.handle.OwnedLocks;

/**
 * What the search for deadlocks needs of this process. There is no such object if the search is switched off.
 *
 * @param process host and process, for people
 */
public record Deadlocks(DeadlockDetector detector, OwnedLocks owned, String process) {}
