package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import java.util.List;

/** The tables of sinks and the statements on them. */
record SinkTables(Database database, JdbcSinkSettings settings) {

    List<String> create() {
        return List.of(
                "CREATE TABLE IF NOT EXISTS " + settings.table() + " (name " + database.nameType()
                        + " PRIMARY KEY, next_index bigint NOT NULL, last_sequences " + database.bytesType()
                        + " NOT NULL, outbox_rows bigint NOT NULL)",
                "CREATE TABLE IF NOT EXISTS " + settings.outboxTable() + " (sink " + database.nameType()
                        + " NOT NULL, n bigint NOT NULL, payloads " + database.bytesType()
                        + " NOT NULL, PRIMARY KEY (sink, n))");
    }

    /** All columns that are used, and no row. */
    List<String> readNothing() {
        return List.of(
                "SELECT name, next_index, last_sequences, outbox_rows FROM " + settings.table() + " WHERE 1 = 0",
                "SELECT sink, n, payloads FROM " + settings.outboxTable() + " WHERE 1 = 0");
    }

    /** Parameter: name. */
    String readPosition() {
        return "SELECT next_index, last_sequences FROM " + settings.table() + " WHERE name = ?";
    }

    /** Parameters: name, index, sequences. In H2, a name that is there already is an error. */
    String createPosition() {
        return "INSERT INTO " + settings.table()
                + " (name, next_index, last_sequences, outbox_rows) VALUES (?, ?, ?, 0)"
                + switch (database) {
                    case POSTGRESQL -> " ON CONFLICT (name) DO NOTHING";
                    case H2 -> "";
                };
    }

    /** Parameters: new index, new sequences, name, old index. */
    String movePosition() {
        return "UPDATE " + settings.table()
                + " SET next_index = ?, last_sequences = ? WHERE name = ? AND next_index = ?";
    }

    /** Changes nothing. Parameter: name. */
    String confirmPosition() {
        return "UPDATE " + settings.table() + " SET next_index = next_index WHERE name = ?";
    }

    /** Parameter: name. */
    String readOutboxRows() {
        return "SELECT outbox_rows FROM " + settings.table() + " WHERE name = ?";
    }

    /** Parameters: number of rows, name. */
    String setOutboxRows() {
        return "UPDATE " + settings.table() + " SET outbox_rows = ? WHERE name = ?";
    }

    /** Parameters: name, number, payloads. */
    String createRow() {
        return "INSERT INTO " + settings.outboxTable() + " (sink, n, payloads) VALUES (?, ?, ?)";
    }

    /** Parameters: name, number. */
    String readRow() {
        return "SELECT payloads FROM " + settings.outboxTable() + " WHERE sink = ? AND n = ?";
    }

    /** Parameters: name, number. */
    String deleteRowsBelow() {
        return "DELETE FROM " + settings.outboxTable() + " WHERE sink = ? AND n < ?";
    }
}
