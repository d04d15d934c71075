package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.internal.inspect.LocalLock;
import java.time.Instant;
import java.util.List;

/**
 * A lock that a caller in this process holds or waits for, as the endpoint answers.
 *
 * @param mode in which it is held or requested
 * @param since when it was acquired or requested, by this machine's clock
 * @param forMillis for how long it has been held or waited for
 * @param lost whether the holder has lost it and not released it yet
 */
record LocalLockBody(
        String lockId, String mode, String thread, String threadId, String since, long forMillis, boolean lost) {

    static List<LocalLockBody> of(List<LocalLock> locks, Instant now) {
        return locks.stream()
                .map(lock -> new LocalLockBody(
                        lock.lockId(),
                        lock.mode().name(),
                        lock.thread(),
                        lock.threadId(),
                        Times.before(now, lock.age()),
                        lock.age().toMillis(),
                        lock.lost()))
                .toList();
    }
}
