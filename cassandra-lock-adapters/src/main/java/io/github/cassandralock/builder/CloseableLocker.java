package io.github.cassandralock.builder;

import io.github.cassandralock.RemoteLocker;

/** A locker that its creator closes. Thread-safe. */
public interface CloseableLocker extends RemoteLocker, AutoCloseable {

    /**
     * Refuses new calls, ends all waiting calls, and reports a loss to every holder. Releases all locks, and ends the locker's
     * threads. The session to Cassandra stays open. Does I/O, and blocks for half a minute at most. A lock that is not released
     * by then is free after its lease. A second call does nothing.
     */
    @Override
    void close();
}
