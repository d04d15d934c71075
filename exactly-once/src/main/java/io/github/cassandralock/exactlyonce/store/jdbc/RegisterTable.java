package io.github.cassandralock.exactlyonce.store.jdbc;

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
import java.util.Set;

/** The table of registers: checks that it is fit to keep registers when a store is opened. Blocks. */
record RegisterTable(Connection connection, RegisterStatements statements) {

    /** The types that the columns may have, as the drivers of both databases report them. */
    private static final List<Set<String>> TYPES = List.of(
            Set.of("varchar", "text", "character varying"),
            Set.of("int8", "bigint"),
            Set.of("uuid"),
            Set.of("int8", "bigint"),
            Set.of("bytea", "binary varying", "binary large object"));

    /** In the schema that the table names, otherwise in the current schema. */
    private static final String UNIQUE_NAME_IN_H2 = """
            SELECT k.CONSTRAINT_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS c
            JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE k
                ON k.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND k.CONSTRAINT_NAME = c.CONSTRAINT_NAME
            WHERE c.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE')
                AND UPPER(c.TABLE_SCHEMA) = UPPER(COALESCE(?, CURRENT_SCHEMA)) AND UPPER(c.TABLE_NAME) = UPPER(?)
            GROUP BY k.CONSTRAINT_NAME HAVING COUNT(*) = 1 AND UPPER(MAX(k.COLUMN_NAME)) = 'NAME'""";

    /** @throws StoreUnfitException if it cannot keep registers */
    void requireFit() throws SQLException {
        requireColumns();
        statements.database().requireToKeep(connection, statements.table());
        requireOneRowForEachName();
    }

    private void requireColumns() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery(statements.readNothing())) {
            ResultSetMetaData columns = none.getMetaData();
            List<String> different = new ArrayList<>();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                String type = columns.getColumnTypeName(column).toLowerCase(Locale.ROOT);
                if (!TYPES.get(column - 1).contains(type)) {
                    different.add(columns.getColumnName(column) + " " + type);
                }
            }
            if (!different.isEmpty()) {
                throw new StoreUnfitException(
                        "The table " + statements.table() + " has columns of other types than registers" + " need: "
                                + different + ". " + createAnother());
            }
        }
    }

    private String createAnother() {
        return "Name another table in the settings, and create it with: " + statements.createTable() + ";";
    }

    private void requireOneRowForEachName() throws SQLException {
        boolean unique = switch (statements.database()) {
            case POSTGRESQL -> isNameUniqueInPostgres();
            case H2 -> isNameUniqueInH2();
        };
        if (!unique) {
            throw new StoreUnfitException(
                    "The table " + statements.table() + " has no primary key on the column name alone, so"
                            + " a register could have two rows. " + createAnother());
        }
    }

    /**
     * To plan the statement, PostgreSQL searches a unique index on the name alone. The statement also needs the permission to
     * insert.
     */
    private boolean isNameUniqueInPostgres() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("EXPLAIN INSERT INTO " + statements.table() + " (" + RegisterStatements.COLUMNS
                    + ") SELECT '', 1, gen_random_uuid(), 1, '' ON CONFLICT (name) DO NOTHING");
            return true;
        } catch (SQLException e) {
            if ("42P10".equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private boolean isNameUniqueInH2() throws SQLException {
        String[] parts = statements.table().split("\\.", 2);
        try (PreparedStatement statement = connection.prepareStatement(UNIQUE_NAME_IN_H2)) {
            statement.setString(1, parts.length == 2 ? parts[0] : null);
            statement.setString(2, parts[parts.length - 1]);
            try (ResultSet keys = statement.executeQuery()) {
                return keys.next();
            }
        }
    }
}
