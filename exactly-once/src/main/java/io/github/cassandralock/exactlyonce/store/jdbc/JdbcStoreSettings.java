package io.github.cassandralock.exactlyonce.store.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.TableCreation;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import java.time.Duration;

/**
 * Where registers are kept, and how long a request waits.
 *
 * @param table the table, or schema and table with a dot between them: letters, digits and underscores, without quotes
 * @param timeout of each statement, without the time in which the data source returns a connection; at least 1 ms. The database
 *     gets whole seconds, rounded up
 */
public record JdbcStoreSettings(String table, Duration timeout) {

    private static final String DEFAULT_TABLE = "exactly_once_registers";
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** @throws IllegalArgumentException if the table has another form, or the time-out is less than 1 ms */
    public JdbcStoreSettings {
        TableCreation.requireName("The table of registers", table);
        RegisterLimits.requireTimeout(timeout);
    }

    /** The table {@code exactly_once_registers}, and a time-out of 5 s. */
    public static JdbcStoreSettings defaults() {
        return new JdbcStoreSettings(DEFAULT_TABLE, DEFAULT_TIMEOUT);
    }

    /** These settings with another table. */
    public JdbcStoreSettings withTable(String other) {
        return new JdbcStoreSettings(other, timeout);
    }

    /** These settings with another time-out. */
    public JdbcStoreSettings withTimeout(Duration other) {
        return new JdbcStoreSettings(table, other);
    }
}
