package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockOwner;
import java.util.Optional;

/**
 * Who asked for a lock.
 *
 * @param threadId the name of the acquisition
 * @param thread the name of the thread that asked
 * @param owner to whom the lock is to belong; empty for an asynchronous call whose request names nobody
 */
record Caller(String threadId, String thread, Optional<LockOwner> owner) {}
