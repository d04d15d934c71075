package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.TableCreation;
import io.github.cassandralock.exactlyonce.jdbc.TransactionSettings;
import java.time.Duration;

/**
 * Where sinks keep their positions and outboxes, and how long they wait. A copy that stands still within its transaction stops its
 * sink for at most {@code idleTimeout}; see {@link JdbcSink}. Each time-out is from 1 ms to {@link Integer#MAX_VALUE} ms (24 days).
 *
 * @param table of positions: a table, or schema and table with a dot between them: letters, digits and underscores
 * @param outboxTable of rows that a pump moves to queues; of the same form
 * @param lockTimeout how long a statement waits for rows that another transaction has locked
 * @param idleTimeout after which PostgreSQL ends a transaction that gets no statement
 * @param statementTimeout after which the database ends a statement; not shorter than the lock time-out
 */
public record JdbcSinkSettings(
        String table, String outboxTable, Duration lockTimeout, Duration idleTimeout, Duration statementTimeout) {

    /** @throws IllegalArgumentException if a table has another form, or a time-out is out of bounds */
    public JdbcSinkSettings {
        TableCreation.requireName("A table of sinks", table);
        TableCreation.requireName("A table of sinks", outboxTable);
        TransactionSettings.requireTimeouts("a sink", "its", lockTimeout, idleTimeout, statementTimeout);
    }

    /**
     * The tables {@code exactly_once_sinks} and {@code exactly_once_outbox}; 5 s for locks and for idle transactions, 10 s for
     * statements.
     */
    public static JdbcSinkSettings defaults() {
        return new JdbcSinkSettings(
                "exactly_once_sinks",
                "exactly_once_outbox",
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10));
    }

    /** These settings with other tables. */
    public JdbcSinkSettings withTables(String positions, String outbox) {
        return new JdbcSinkSettings(positions, outbox, lockTimeout, idleTimeout, statementTimeout);
    }

    /** These settings with other time-outs. */
    public JdbcSinkSettings withTimeouts(Duration lock, Duration idle, Duration statement) {
        return new JdbcSinkSettings(table, outboxTable, lock, idle, statement);
    }
}
