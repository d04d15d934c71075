package io.github.cassandralock.exactlyonce.store.jdbc;

import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of registers: creates it, and checks when a store is opened that it is fit to keep registers. Blocks. */
record RegisterTable(Connection connection, Dialect dialect, JdbcStoreSettings settings) {

    private static final Logger log = LoggerFactory.getLogger(RegisterTable.class);

    /** In the schema that the table names, or else in the current one. */
    private static final String PRIMARY_KEY_OF_H2 = """
            SELECT k.COLUMN_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS c
            JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE k
                ON k.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND k.CONSTRAINT_NAME = c.CONSTRAINT_NAME
            WHERE c.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE')
                AND UPPER(c.TABLE_SCHEMA) = UPPER(COALESCE(?, CURRENT_SCHEMA)) AND UPPER(c.TABLE_NAME) = UPPER(?)
            GROUP BY k.CONSTRAINT_NAME HAVING COUNT(*) = 1 AND UPPER(MAX(k.COLUMN_NAME)) = 'NAME'""";

    /** @throws StoreUnfitException if the database refuses */
    void create() {
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.createTable(settings.table()));
        } catch (SQLException e) {
            throw unusable(e);
        }
    }

    /** @throws StoreUnfitException if it cannot keep registers */
    void requireFit() {
        try {
            requireColumns();
            requireThatNothingIsForgotten();
        } catch (SQLException e) {
            throw unusable(e);
        }
    }

    private void requireThatNothingIsForgotten() throws SQLException {
        switch (dialect) {
            case POSTGRESQL -> {
                requirePrimary();
                requireSetting("synchronous_commit", "a commit is acknowledged before it is on the disk");
                requireSetting("fsync", "commits need not be on the disk");
                requireKeptAfterCrash();
                requireOneRowForEachName();
            }
            case H2 -> {
                requireUniqueName();
                log.warn(
                        "Registers are kept in H2 ({}). It forgets the last half second when its process ends, or all in"
                                + " memory: use it for trials only",
                        settings.table());
            }
        }
    }

    private void requireColumns() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery(dialect.readNothing(settings.table()))) {
            ResultSetMetaData columns = none.getMetaData();
            List<String> different = new ArrayList<>();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                String type = columns.getColumnTypeName(column).toLowerCase(Locale.ROOT);
                if (!dialect.columnTypes().get(column - 1).contains(type)) {
                    different.add(columns.getColumnName(column) + " " + type);
                }
            }
            if (!different.isEmpty()) {
                throw new StoreUnfitException(
                        "The table " + settings.table() + " has columns of other types than registers" + " need: "
                                + different + ". " + createAnother());
            }
        }
    }

    private String createAnother() {
        return "Name another table in the settings, and create it with: " + dialect.createTable(settings.table()) + ";";
    }

    private void requirePrimary() throws SQLException {
        if (isTrue("SELECT pg_is_in_recovery()")) {
            throw new StoreUnfitException(
                    "The data source leads to a standby server, which takes no writes. Give the store a"
                            + " data source that leads to the primary server (targetServerType=primary).");
        }
    }

    private void requireSetting(String setting, String reason) throws SQLException {
        if (isTrue("SELECT current_setting('" + setting + "') = 'off'")) {
            throw new StoreUnfitException("PostgreSQL has " + setting + " = off for this user and database: " + reason
                    + ", so a crash forgets registers that were acknowledged, and inputs are lost or take effect twice. Set "
                    + setting + " = on, for this user or in postgresql.conf.");
        }
    }

    private void requireKeptAfterCrash() throws SQLException {
        if (isTrue("SELECT relpersistence <> 'p' FROM pg_class WHERE oid = to_regclass('" + settings.table() + "')")) {
            throw new StoreUnfitException("The table " + settings.table()
                    + " is unlogged or temporary, so PostgreSQL empties"
                    + " it after a crash. If it has no rows, run: ALTER TABLE " + settings.table() + " SET LOGGED; "
                    + createAnother());
        }
    }

    /** To plan the statement, PostgreSQL looks for a unique index on the name alone. Checks the permission to insert, too. */
    private void requireOneRowForEachName() throws SQLException {
        String insert = "INSERT INTO " + settings.table()
                + " (name, version, process, counter, register_value) SELECT '', 1, gen_random_uuid(), 1, ''"
                + " ON CONFLICT (name) DO NOTHING";
        try (Statement statement = connection.createStatement()) {
            statement.execute("EXPLAIN " + insert);
        } catch (SQLException e) {
            if ("42P10".equals(e.getSQLState())) {
                throw noUniqueName();
            }
            throw e;
        }
    }

    private void requireUniqueName() throws SQLException {
        String[] parts = settings.table().split("\\.", 2);
        try (PreparedStatement statement = connection.prepareStatement(PRIMARY_KEY_OF_H2)) {
            statement.setString(1, parts.length == 2 ? parts[0] : null);
            statement.setString(2, parts[parts.length - 1]);
            try (ResultSet keys = statement.executeQuery()) {
                if (!keys.next()) {
                    throw noUniqueName();
                }
            }
        }
    }

    private StoreUnfitException noUniqueName() {
        return new StoreUnfitException(
                "The table " + settings.table() + " has no primary key on the column name alone, so a"
                        + " register could have two rows. " + createAnother());
    }

    private boolean isTrue(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() && row.getBoolean(1);
        }
    }

    /** What the database says while a store is opened, in the terms of the port. */
    private RuntimeException unusable(SQLException e) {
        return SqlFailures.ofStatement(e) == FailureMeaning.REFUSED
                ? new StoreUnfitException(
                        "The database refuses a statement on the table " + settings.table() + ": " + e.getMessage()
                                + ". If the table is missing, create it with: " + dialect.createTable(settings.table())
                                + "; the user needs SELECT, INSERT and UPDATE on it.",
                        e)
                : new RegisterUnavailableException(
                        "The database did not answer while the table " + settings.table() + " of registers was opened: "
                                + e.getMessage()
                                + ". Open it again; if this goes on, check whether the database is up.",
                        e);
    }
}
