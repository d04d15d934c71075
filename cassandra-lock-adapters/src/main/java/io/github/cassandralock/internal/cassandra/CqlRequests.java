package io.github.cassandralock.internal.cassandra;

import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.quorum.LocalQuorum;

/**
 * Sends the requests of the locks at the configured quorum. Thread-safe.
 *
 * @param local whose quorum a local level means; an answer of another one does not count
 * @param ids how the tables have lock ids
 * @param observer receives every request to the lock tables
 */
public record CqlRequests(
        CqlPort port,
        LockConsistency consistency,
        LockSerialConsistency serialConsistency,
        LocalQuorum local,
        StoredIds ids,
        RequestObserver observer) {

    TableRequests to(QualifiedTable table) {
        return new TableRequests(table, this);
    }
}
