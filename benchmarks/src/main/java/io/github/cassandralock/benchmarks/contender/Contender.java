package io.github.cassandralock.benchmarks.contender;

/**
 * One client of a lock service, with the connections and the session that an instance of an application has. Safe for use by
 * any thread.
 */
public interface Contender extends AutoCloseable {

    /** A lock that is held, to be released by the thread that took it. */
    interface Hold {

        /** Returns when the lock service has taken note, or has it in hand. */
        void release() throws Exception;
    }

    /**
     * Waits until this thread holds the lock.
     *
     * @param lockId letters, digits and hyphens, which every lock service takes
     */
    Hold acquire(String lockId) throws Exception;

    /**
     * Waits until this thread shares the lock with others that read.
     *
     * @throws UnsupportedOperationException if the lock service has no such locks, or none is measured
     */
    default Hold acquireToRead(String lockId) throws Exception {
        throw new UnsupportedOperationException("There are no locks for readers and writers");
    }

    /**
     * Waits until this thread alone holds the lock, which others share to read.
     *
     * @throws UnsupportedOperationException if the lock service has no such locks, or none is measured
     */
    default Hold acquireToWrite(String lockId) throws Exception {
        throw new UnsupportedOperationException("There are no locks for readers and writers");
    }

    /**
     * Waits until this thread has one of so many permits of the lock.
     *
     * @param permits how many threads may hold the lock at the same time, 2 at least; always the same for one lock
     * @throws UnsupportedOperationException if the lock service has no permits, or none are measured
     */
    default Hold acquirePermit(String lockId, int permits) throws Exception {
        throw new UnsupportedOperationException("There are no permits");
    }

    /** How many requests this contender has sent to its lock service, whatever for. */
    long requests();

    @Override
    void close() throws Exception;
}
