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

    /** How many requests this contender has sent to its lock service, whatever for. */
    long requests();

    @Override
    void close() throws Exception;
}
