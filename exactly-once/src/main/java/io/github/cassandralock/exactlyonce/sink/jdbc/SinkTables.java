package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.jdbc.DatabaseSetup;
import io.github.cassandralock.exactlyonce.jdbc.TableCreation;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The tables of sinks and the statements on them. Its static methods do I/O and block. */
record SinkTables(Database database, JdbcSinkSettings settings) {

    /** For two names of up to 200 characters, and two births. */
    private static final String ORIGIN_TYPE = "varchar(1024)";

    /** The target of an outbox that was never pumped. It is null in rows of older versions, whose outboxes may have been pumped. */
    static final String NEVER_PUMPED = "";

    /** Creates the tables, and adds the columns that tables of older versions lack. */
    static void createIn(DataSource source, JdbcSinkSettings settings) {
        setup(source, settings).run((connection, database) -> {
            SinkTables tables = new SinkTables(database, settings);
            TableCreation.ifMissing(
                    connection,
                    tables.readNothing(),
                    Stream.concat(tables.create().stream(), tables.addColumns().stream())
                            .toList());
            return tables;
        });
    }

    /** Checks the tables when a sink or an outbox is opened. */
    static SinkTables open(DataSource source, JdbcSinkSettings settings) {
        return setup(source, settings).run((connection, database) -> {
            SinkTables tables = new SinkTables(database, settings);
            TableCreation.execute(connection, tables.readNothing());
            database.requireToKeep(connection, settings.table());
            database.requireToKeep(connection, settings.outboxTable());
            return tables;
        });
    }

    private static DatabaseSetup setup(DataSource source, JdbcSinkSettings settings) {
        return new DatabaseSetup(
                source, settings.statementTimeout(), "sinks", database -> new SinkTables(database, settings).advice());
    }

    private String advice() {
        return "If they are missing, create them with: " + String.join("; ", create())
                + "; if an older version of this library created them, run: "
                + String.join("; ", addColumns())
                + "; the user needs SELECT, INSERT, UPDATE and DELETE on them.";
    }

    List<String> create() {
        return List.of(
                "CREATE TABLE IF NOT EXISTS " + settings.table() + " (name " + database.getNameType()
                        + " PRIMARY KEY, next_index bigint NOT NULL, last_sequences " + database.getBytesType()
                        + " NOT NULL, outbox_rows bigint NOT NULL, origin " + ORIGIN_TYPE + ", outbox_target "
                        + ORIGIN_TYPE
                        + ")",
                "CREATE TABLE IF NOT EXISTS " + settings.outboxTable() + " (sink " + database.getNameType()
                        + " NOT NULL, n bigint NOT NULL, payloads " + database.getBytesType()
                        + " NOT NULL, PRIMARY KEY (sink, n))");
    }

    /** Adds the columns that tables of older versions lack. Existing columns are no error. */
    List<String> addColumns() {
        return Stream.of("origin", "outbox_target")
                .map(column ->
                        "ALTER TABLE " + settings.table() + " ADD COLUMN IF NOT EXISTS " + column + " " + ORIGIN_TYPE)
                .toList();
    }

    /** All columns that are used, and no row. */
    List<String> readNothing() {
        return List.of(
                "SELECT name, next_index, last_sequences, outbox_rows, origin, outbox_target FROM " + settings.table()
                        + " WHERE 1 = 0",
                "SELECT sink, n, payloads FROM " + settings.outboxTable() + " WHERE 1 = 0");
    }

    /** Parameter: name. */
    String readPosition() {
        return "SELECT next_index, last_sequences FROM " + settings.table() + " WHERE name = ?";
    }

    /** Parameter: name. */
    String readOrigin() {
        return "SELECT origin FROM " + settings.table() + " WHERE name = ?";
    }

    /** Parameters: name, index, sequences, origin. In H2, a name that exists is an error. */
    String createPosition() {
        return "INSERT INTO " + settings.table()
                + " (name, next_index, last_sequences, outbox_rows, origin, outbox_target) VALUES (?, ?, ?, 0, ?, '"
                + NEVER_PUMPED + "')"
                + switch (database) {
                    case POSTGRESQL -> " ON CONFLICT (name) DO NOTHING";
                    case H2 -> "";
                };
    }

    /** Parameters: origin, name. */
    String setOrigin() {
        return "UPDATE " + settings.table() + " SET origin = ? WHERE name = ? AND origin IS NULL";
    }

    /** Parameter: name. */
    String readOutbox() {
        return "SELECT outbox_rows, outbox_target FROM " + settings.table() + " WHERE name = ?";
    }

    /** Parameters: target, name. */
    String setOutboxTarget() {
        return "UPDATE " + settings.table() + " SET outbox_target = ? WHERE name = ? AND (outbox_target IS NULL OR"
                + " outbox_target = '" + NEVER_PUMPED + "')";
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
