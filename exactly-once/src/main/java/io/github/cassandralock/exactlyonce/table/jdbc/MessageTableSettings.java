package io.github.cassandralock.exactlyonce.table.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.TransactionSettings;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Where messages are kept, and how long a transaction waits. Each time-out is from 1 ms to {@link Integer#MAX_VALUE} ms (24 days).
 *
 * @param table a table, or schema and table with a dot between them: letters, digits and underscores. The name of the table
 *     has at most 50 characters, so that the names of its indexes are not cut
 * @param lockTimeout how long a statement waits for rows that another transaction has locked (PostgreSQL)
 * @param idleTimeout after which PostgreSQL ends a transaction that gets no statement: so long are messages locked whose copy
 *     stands still
 * @param statementTimeout after which the database ends a statement; not shorter than the lock time-out
 */
public record MessageTableSettings(
        String table, Duration lockTimeout, Duration idleTimeout, Duration statementTimeout) {

    private static final Pattern NAME = Pattern.compile("([A-Za-z_]\\w{0,62}\\.)?[A-Za-z_]\\w{0,49}");

    /** @throws IllegalArgumentException if the table has another form, or a time-out is out of bounds */
    public MessageTableSettings {
        if (!NAME.matcher(table).matches()) {
            throw new IllegalArgumentException("The table of messages cannot be named '" + table
                    + "'. Its name has at most 50 letters, digits and underscores, with or without a schema and"
                    + " a dot before it");
        }
        TransactionSettings.requireTimeouts("messages", "their", lockTimeout, idleTimeout, statementTimeout);
    }

    /** The table {@code exactly_once_messages}; 5 s for locks, 30 s for idle transactions, 30 s for statements. */
    public static MessageTableSettings defaults() {
        return new MessageTableSettings(
                "exactly_once_messages", Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    /** These settings with another table. */
    public MessageTableSettings withTable(String other) {
        return new MessageTableSettings(other, lockTimeout, idleTimeout, statementTimeout);
    }

    /** These settings with other time-outs. */
    public MessageTableSettings withTimeouts(Duration lock, Duration idle, Duration statement) {
        return new MessageTableSettings(table, lock, idle, statement);
    }
}
