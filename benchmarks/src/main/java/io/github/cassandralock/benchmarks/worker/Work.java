package io.github.cassandralock.benchmarks.worker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a process does in one go.
 *
 * @param lockId the lock, or what the ids of several locks begin with
 * @param locks how many locks there are to choose from
 * @param contenders how many clients of the process take part, each of its own
 * @param threads how many threads of each of them
 * @param hold for how long it keeps it
 * @param readers how many of a hundred acquisitions are those of readers; null: the locks are not for readers and writers
 * @param permits how many threads may hold a lock at the same time
 */
public record Work(
        String lockId,
        int locks,
        int contenders,
        int threads,
        Duration hold,
        @Nullable Integer readers,
        int permits) {

    /** One thread of a process takes one lock again and again and does nothing under it. */
    public static Work onOneLock(String lockId) {
        return new Work(lockId, 1, 1, 1, Duration.ZERO, null, 1);
    }

    /** The same with other locks. */
    public Work withPrefix(String prefix) {
        return new Work(prefix + lockId, locks, contenders, threads, hold, readers, permits);
    }

    public Work withLocks(int count) {
        return new Work(lockId, count, contenders, threads, hold, readers, permits);
    }

    public Work withContenders(int count) {
        return new Work(lockId, locks, count, threads, hold, readers, permits);
    }

    public Work withThreads(int count) {
        return new Work(lockId, locks, contenders, count, hold, readers, permits);
    }

    public Work withHold(Duration duration) {
        return new Work(lockId, locks, contenders, threads, duration, readers, permits);
    }

    /** Locks for readers and writers. */
    public Work withReaders(int percent) {
        return new Work(lockId, locks, contenders, threads, hold, percent, permits);
    }

    /** Locks that so many threads may hold at the same time. */
    public Work withPermits(int count) {
        return new Work(lockId, locks, contenders, threads, hold, readers, count);
    }

    /** How many clients of so many processes want the same lock at the same time; 1 if there are several locks. */
    int contendersOf(int processes) {
        return locks == 1 ? processes * contenders : 1;
    }

    String idOf(int lock) {
        return locks == 1 ? lockId : lockId + "-" + lock;
    }
}
