package io.github.cassandralock.internal.cassandra;

import java.time.Duration;

/**
 * Receives every request to the lock tables that has ended. Runs on the driver's threads, which also renew leases, so it must be
 * quick and must not block. What it throws has no effect. Thread-safe.
 */
@FunctionalInterface
public interface RequestObserver {

    /** For applications that do not measure. */
    RequestObserver NONE = (table, kind, took, answered) -> {};

    /** What a request costs Cassandra. */
    enum Kind {

        /** A read at quorum. */
        READ,

        /** A write or a deletion at quorum. */
        WRITE,

        /** A read that sees all completed transactions: a round of consensus. */
        SERIAL_READ,

        /** A lightweight transaction: several rounds of consensus. */
        TRANSACTION
    }

    /**
     * @param took from the sending to the answer or the failure
     * @param answered whether a quorum has answered; true for a transaction that is not applied
     */
    void ended(LockTable table, Kind kind, Duration took, boolean answered);
}
