package io.github.cassandralock.exactlyonce.sink.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

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

    private static final Pattern NAME = Pattern.compile("([A-Za-z_]\\w{0,62}\\.)?[A-Za-z_]\\w{0,62}");

    /** @throws IllegalArgumentException if a table has another form, or a time-out is out of bounds */
    public JdbcSinkSettings {
        for (String name : List.of(table, outboxTable)) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "A table of sinks cannot be named '" + name
                                + "'. Its name has letters, digits and underscores, with or without a schema and a dot"
                                + " before it");
            }
        }
        for (Duration time : List.of(lockTimeout, idleTimeout, statementTimeout)) {
            if (time.toMillis() < 1 || time.toMillis() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("A time-out of a sink is from 1 ms to 24 days, not " + time);
            }
        }
        if (statementTimeout.compareTo(lockTimeout) < 0) {
            throw new IllegalArgumentException(
                    "The statement time-out of a sink must not be shorter than its lock time-out of " + lockTimeout
                            + ", but is " + statementTimeout);
        }
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
