package io.github.cassandralock.internal.deadlock;

/**
 * Limits of the search of one process in one interval, however many calls wait.
 *
 * @param bytes of the row that is written, before it is compressed
 * @param locksOfOneOwner how many of the locks that one owner holds are published
 * @param partitions how many partitions are read, of locks and of sessions
 */
public record DeadlockBounds(int bytes, int locksOfOneOwner, int partitions) {

    /** Enough for two thousand calls with ids and names of usual length. */
    public static final DeadlockBounds USUAL = new DeadlockBounds(256 << 10, 32, 512);
}
