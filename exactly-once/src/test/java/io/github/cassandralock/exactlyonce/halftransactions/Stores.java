package io.github.cassandralock.exactlyonce.halftransactions;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import javax.sql.DataSource;

/**
 * The two stores of half transactions, which share no transaction.
 *
 * @param cassandra registers in Cassandra, or in its place
 * @param postgres registers in PostgreSQL, or in its place
 * @param database that PostgreSQL, for statements of sinks
 */
record Stores(RegisterStore cassandra, RegisterStore postgres, DataSource database) {

    /** The same stores, for one process. */
    Stores of(KillableProcess process) {
        return new Stores(process.watched(cassandra), process.watched(postgres), process.watched(database));
    }
}
