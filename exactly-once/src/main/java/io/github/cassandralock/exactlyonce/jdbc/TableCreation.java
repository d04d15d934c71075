package io.github.cassandralock.exactlyonce.jdbc;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Creates tables that instances may create at the same time. */
public final class TableCreation {

    /**
     * PostgreSQL answers with these states if another transaction has created the table meanwhile, even to CREATE TABLE IF NOT
     * EXISTS. A unique key of the catalogue, a table or a type exists already. H2 answers with its general error.
     */
    private static final Set<String> CREATED_MEANWHILE = Set.of("23505", "42P07", "42710", "HY000");

    /** After such an answer, the other transaction is committed, and the next attempt finds the table. */
    private static final int ATTEMPTS = 3;

    /** A table, or schema and table with a dot between them. */
    private static final Pattern NAME = Pattern.compile("([A-Za-z_]\\w{0,62}\\.)?[A-Za-z_]\\w{0,62}");

    private TableCreation() {}

    /**
     * Checks the name of a table.
     *
     * @param what the table is, such as "The table of registers"
     * @param name to check
     * @throws IllegalArgumentException if it has another form
     */
    public static void requireName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " cannot be named '" + name
                    + "'. Its name has letters, digits and underscores, with or without a schema and a dot before it");
        }
    }

    /**
     * Executes statements one after the other. Blocks.
     *
     * @param connection on which each statement is a transaction of its own
     * @param statements of the form CREATE TABLE IF NOT EXISTS, or others that can be repeated
     * @throws SQLException if the database refuses or does not answer
     */
    public static void execute(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                execute(statement, sql, ATTEMPTS);
            }
        }
    }

    /**
     * Creates tables unless all of them can be read. PostgreSQL would lock an existing table, and would require the permission to
     * create it. Blocks.
     *
     * @param connection on which each statement is a transaction of its own
     * @param queries that read nothing, of all tables and columns
     * @param statements as for {@link #execute}
     * @throws SQLException if the database refuses or does not answer
     */
    public static void ifMissing(Connection connection, List<String> queries, List<String> statements)
            throws SQLException {
        if (!areExecuted(connection, queries)) {
            execute(connection, statements);
        }
    }

    /** A time-out of the server shows neither that a table exists nor that it is missing. */
    private static boolean areExecuted(Connection connection, List<String> statements) throws SQLException {
        try {
            execute(connection, statements);
            return true;
        } catch (SQLException e) {
            if (SqlFailures.ofStatement(e) == FailureMeaning.NOT_APPLIED) {
                throw e;
            }
            return false;
        }
    }

    private static void execute(Statement statement, String sql, int attempts) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (attempts == 1 || !CREATED_MEANWHILE.contains(e.getSQLState())) {
                throw e;
            }
            execute(statement, sql, attempts - 1);
        }
    }
}
