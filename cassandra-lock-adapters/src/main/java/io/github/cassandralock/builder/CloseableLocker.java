package io.github.cassandralock.builder;

import io.github.cassandralock.RemoteLocker;

/** A locker that its creator closes. Thread-safe. */
public interface CloseableLocker extends RemoteLocker, AutoCloseable {

    /**
     * Refuses new calls, ends all waiting calls, reports to every holder that its lock is lost, releases all locks, and ends the
     * threads of the locker. The session to Cassandra stays open. Does I/O, and blocks for half a minute at most. A lock that is
     * not released by then is free after its lease. A second call does nothing.
     */
    @Override
    void close();
}
