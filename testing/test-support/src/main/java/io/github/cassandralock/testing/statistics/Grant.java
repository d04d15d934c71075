package io.github.cassandralock.testing.statistics;

/**
 * One acquisition. Times are of the monotonic clock, which all processes of a machine share, in nanoseconds.
 *
 * @param process from 1
 * @param contender of the process, from 1
 * @param lock which of the locks, from 0
 * @param askedAt when it asked for the lock
 * @param enteredAt when it had the lock
 * @param leftAt when it began to release it
 * @param shared whether others that share the lock may hold it at the same time
 */
public record Grant(int process, int contender, int lock, long askedAt, long enteredAt, long leftAt, boolean shared) {

    /** Others may not hold the lock at the same time. */
    public Grant(int process, int contender, int lock, long askedAt, long enteredAt, long leftAt) {
        this(process, contender, lock, askedAt, enteredAt, leftAt, false);
    }

    boolean excludes(Grant other) {
        return !(shared && other.shared);
    }

    long waitedNanos() {
        return enteredAt - askedAt;
    }

    boolean isOfSameContenderAs(Grant other) {
        return process == other.process && contender == other.contender;
    }
}
