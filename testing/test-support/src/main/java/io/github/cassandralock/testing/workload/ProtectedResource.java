package io.github.cassandralock.testing.workload;

import java.io.IOException;

/** What only holders of locks touch: for each lock a counter that nothing else protects, and a register of tokens. */
public interface ProtectedResource {

    /** The counter's value, 0 at first. */
    long read(String lockId) throws IOException;

    void write(String lockId, long value) throws IOException;

    /**
     * Enters a token, unless one as high or higher has been entered before.
     *
     * @return whether it was entered
     */
    boolean register(String lockId, long token, String worker, long sequence) throws IOException;
}
