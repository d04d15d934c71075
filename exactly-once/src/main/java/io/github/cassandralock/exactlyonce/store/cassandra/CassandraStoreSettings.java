package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import java.time.Duration;
import java.util.Objects;

/**
 * Where registers are kept, and how they are requested.
 *
 * @param keyspace exactly as Cassandra stores its name
 * @param table exactly as Cassandra stores its name
 * @param readConsistency of reads, and of the last phase of lightweight transactions
 * @param serialConsistency which replicas decide lightweight transactions
 * @param timeout of the driver for a request; at least 1 ms. It should exceed the server's own time-outs (2 s for writes, 1.8 s for
 *     contention), whose answers are more exact
 */
public record CassandraStoreSettings(
        String keyspace,
        String table,
        ReadConsistency readConsistency,
        SerialConsistency serialConsistency,
        Duration timeout) {

    /** The default table. */
    public static final String DEFAULT_TABLE = "exactly_once_registers";

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** @throws IllegalArgumentException if a name is empty, or the time-out is less than 1 ms */
    public CassandraStoreSettings {
        Objects.requireNonNull(readConsistency, "readConsistency");
        Objects.requireNonNull(serialConsistency, "serialConsistency");
        if (keyspace.isEmpty() || table.isEmpty()) {
            throw new IllegalArgumentException(
                    "The names of the keyspace and the table of registers must not be empty, but" + " are '" + keyspace
                            + "' and '" + table + "'");
        }
        RegisterLimits.requireTimeout(timeout);
    }

    /**
     * The default table, {@code QUORUM}, {@code SERIAL}, and a time-out of 5 s.
     *
     * @param keyspace exactly as Cassandra stores its name
     */
    public static CassandraStoreSettings inKeyspace(String keyspace) {
        return new CassandraStoreSettings(
                keyspace, DEFAULT_TABLE, ReadConsistency.QUORUM, SerialConsistency.SERIAL, DEFAULT_TIMEOUT);
    }

    /** These settings with another table. */
    public CassandraStoreSettings withTable(String other) {
        return new CassandraStoreSettings(keyspace, other, readConsistency, serialConsistency, timeout);
    }

    /** These settings with other consistency levels. */
    public CassandraStoreSettings withConsistency(ReadConsistency read, SerialConsistency serial) {
        return new CassandraStoreSettings(keyspace, table, read, serial, timeout);
    }

    /** These settings with another time-out. */
    public CassandraStoreSettings withTimeout(Duration other) {
        return new CassandraStoreSettings(keyspace, table, readConsistency, serialConsistency, other);
    }

    /** Keyspace and table in CQL. */
    String qualifiedTable() {
        return CqlIdentifier.fromInternal(keyspace).asCql(true) + "."
                + CqlIdentifier.fromInternal(table).asCql(true);
    }
}
