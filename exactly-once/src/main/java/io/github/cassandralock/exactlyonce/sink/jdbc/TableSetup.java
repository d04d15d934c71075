package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.jdbc.DatabaseSetup;
import io.github.cassandralock.exactlyonce.jdbc.TableCreation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** Creates the tables of sinks, and checks them when a sink or an outbox is opened. Blocks. */
final class TableSetup {

    private TableSetup() {}

    static void create(DataSource source, JdbcSinkSettings settings) {
        setup(source, settings).run((connection, database) -> {
            SinkTables tables = new SinkTables(database, settings);
            TableCreation.execute(connection, tables.create());
            if (!hasAllColumns(connection, tables)) {
                TableCreation.execute(connection, tables.addColumns());
            }
            return database;
        });
    }

    /** Checked first, because only the owner of a table may add columns, even existing ones. */
    private static boolean hasAllColumns(Connection connection, SinkTables tables) {
        try {
            execute(connection, tables.readNothing());
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    static Database requireFit(DataSource source, JdbcSinkSettings settings) {
        return setup(source, settings).run((connection, database) -> {
            execute(connection, new SinkTables(database, settings).readNothing());
            database.requireToKeep(connection, settings.table());
            database.requireToKeep(connection, settings.outboxTable());
            return database;
        });
    }

    private static void execute(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static DatabaseSetup setup(DataSource source, JdbcSinkSettings settings) {
        return new DatabaseSetup(
                source, settings.statementTimeout(), "sinks", database -> advice(new SinkTables(database, settings)));
    }

    private static String advice(SinkTables tables) {
        return "If they are missing, create them with: " + String.join("; ", tables.create())
                + "; if an older version of this library created them, run: "
                + String.join("; ", tables.addColumns())
                + "; the user needs SELECT, INSERT, UPDATE and DELETE on them.";
    }
}
