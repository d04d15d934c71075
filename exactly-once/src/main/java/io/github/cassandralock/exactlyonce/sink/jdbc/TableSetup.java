package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.jdbc.NotConnectedException;
import io.github.cassandralock.exactlyonce.jdbc.SqlFailures;
import io.github.cassandralock.exactlyonce.jdbc.StatementConnection;
import io.github.cassandralock.exactlyonce.jdbc.TableCreation;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** Creates the tables of sinks, and checks them when a sink or an outbox is opened. Blocks. */
final class TableSetup {

    private TableSetup() {}

    private interface Task {
        void on(Connection connection, Database database) throws SQLException;
    }

    static void create(DataSource source, JdbcSinkSettings settings) {
        run(source, settings, (connection, database) -> {
            SinkTables tables = new SinkTables(database, settings);
            TableCreation.execute(connection, tables.create());
            if (!hasAllColumns(connection, tables)) {
                TableCreation.execute(connection, tables.addColumns());
            }
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
        return run(source, settings, (connection, database) -> {
            execute(connection, new SinkTables(database, settings).readNothing());
            database.requireToKeep(connection, settings.table());
            database.requireToKeep(connection, settings.outboxTable());
        });
    }

    private static void execute(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static Database run(DataSource source, JdbcSinkSettings settings, Task task) {
        try (StatementConnection connection = StatementConnection.open(source, settings.statementTimeout())) {
            Database database = Database.of(connection.get());
            try {
                task.on(connection.get(), database);
            } catch (SQLException e) {
                throw unusable(new SinkTables(database, settings), e);
            }
            return database;
        } catch (NotConnectedException | SQLException e) {
            throw new RegisterUnavailableException(
                    "There is no connection to the database for sinks: " + e.getMessage()
                            + ". Check the data source, and open the sink again.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegisterUnavailableException("Interrupted while a sink was opened. Open it again.", e);
        }
    }

    private static RuntimeException unusable(SinkTables tables, SQLException e) {
        return SqlFailures.ofStatement(e) == FailureMeaning.REFUSED
                ? new StoreUnfitException(
                        "The database refuses a statement on the tables of sinks: " + e.getMessage()
                                + ". If they are missing, create them with: "
                                + String.join("; ", tables.create())
                                + "; if an older version of this library created them, run: "
                                + String.join("; ", tables.addColumns())
                                + "; the user needs SELECT, INSERT, UPDATE and DELETE on them.",
                        e)
                : new RegisterUnavailableException(
                        "The database did not answer while a sink was opened: " + e.getMessage()
                                + ". Open it again; if this goes on, check whether the database is up.",
                        e);
    }
}
