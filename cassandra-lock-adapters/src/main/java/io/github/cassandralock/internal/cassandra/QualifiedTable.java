package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;

/** A table of one keyspace, written as CQL wants it. */
public record QualifiedTable(CqlIdentifier keyspace, LockTable table) {

    String cql() {
        return keyspace.asCql(true) + "." + table.tableName();
    }
}
