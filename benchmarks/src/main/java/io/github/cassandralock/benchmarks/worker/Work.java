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
 * @param acquisitions how often each thread takes a lock
 * @param hold for how long it keeps it
 * @param readers how many of a hundred acquisitions are those of readers; null: the locks are plain ones
 */
public record Work(
        String lockId,
        int locks,
        int contenders,
        int threads,
        int acquisitions,
        Duration hold,
        @Nullable Integer readers) {

    /** One thread of a process takes one lock again and again and does nothing under it. */
    public static Work onOneLock(String lockId, int acquisitions) {
        return new Work(lockId, 1, 1, 1, acquisitions, Duration.ZERO, null);
    }

    /** The same with other locks. */
    public Work withPrefix(String prefix) {
        return new Work(prefix + lockId, locks, contenders, threads, acquisitions, hold, readers);
    }

    public Work withLocks(int count) {
        return new Work(lockId, count, contenders, threads, acquisitions, hold, readers);
    }

    public Work withContenders(int count) {
        return new Work(lockId, locks, count, threads, acquisitions, hold, readers);
    }

    public Work withThreads(int count) {
        return new Work(lockId, locks, contenders, count, acquisitions, hold, readers);
    }

    public Work withAcquisitions(int count) {
        return new Work(lockId, locks, contenders, threads, count, hold, readers);
    }

    public Work withHold(Duration duration) {
        return new Work(lockId, locks, contenders, threads, acquisitions, duration, readers);
    }

    /** Locks for readers and writers. */
    public Work withReaders(int percent) {
        return new Work(lockId, locks, contenders, threads, acquisitions, hold, percent);
    }

    /** How many clients of so many processes want the same lock at the same time; 1 if there are several locks. */
    int contendersOf(int processes) {
        return locks == 1 ? processes * contenders : 1;
    }

    String idOf(int lock) {
        return locks == 1 ? lockId : lockId + "-" + lock;
    }
}
