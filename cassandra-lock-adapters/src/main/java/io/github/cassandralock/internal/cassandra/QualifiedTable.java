package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;

/** A table of one keyspace, written as in CQL. */
public record QualifiedTable(CqlIdentifier keyspace, LockTable table) {

    String cql() {
        return keyspace.asCql(true) + "." + table.tableName();
    }
}
