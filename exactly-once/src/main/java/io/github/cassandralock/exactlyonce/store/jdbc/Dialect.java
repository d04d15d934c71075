package io.github.cassandralock.exactlyonce.store.jdbc;

import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** In what the databases differ. */
enum Dialect {
    /** Names are compared by their bytes: an index in a collation of the operating system breaks when that is updated. */
    POSTGRESQL(
            "varchar(512) COLLATE \"C\"",
            "bytea",
            " ON CONFLICT (name) DO NOTHING",
            List.of(Set.of("varchar", "text"), Set.of("int8"), Set.of("uuid"), Set.of("int8"), Set.of("bytea"))),

    /** A name that is there already is an error. */
    H2(
            "varchar(512)",
            "varbinary(1048576)",
            "",
            List.of(
                    Set.of("character varying"),
                    Set.of("bigint"),
                    Set.of("uuid"),
                    Set.of("bigint"),
                    Set.of("binary varying")));

    private static final String COLUMNS = "name, version, process, counter, register_value";

    private final String nameType;
    private final String valueType;
    private final String unlessThere;

    @SuppressWarnings("ImmutableEnumChecker") // both collections are unmodifiable
    private final List<Set<String>> columnTypes;

    Dialect(String nameType, String valueType, String unlessThere, List<Set<String>> columnTypes) {
        this.nameType = nameType;
        this.valueType = valueType;
        this.unlessThere = unlessThere;
        this.columnTypes = columnTypes;
    }

    /** @throws StoreUnfitException if it is neither */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "h2" -> H2;
            default ->
                throw new StoreUnfitException("Registers can be kept in PostgreSQL, or in H2 for trials, but the data"
                        + " source is of " + product + ". Give the store another data source.");
        };
    }

    String createTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (name " + nameType
                + " PRIMARY KEY, version bigint NOT NULL, process uuid NOT NULL, counter bigint NOT NULL, register_value "
                + valueType + " NOT NULL)";
    }

    /** Parameters: name, process, counter, value. */
    String createRegister(String table) {
        return "INSERT INTO " + table + " (" + COLUMNS + ") VALUES (?, 1, ?, ?, ?)" + unlessThere;
    }

    /** Parameters: new version, process, counter, value, name, expected version. */
    String replaceRegister(String table) {
        return "UPDATE " + table
                + " SET version = ?, process = ?, counter = ?, register_value = ? WHERE name = ? AND version = ?";
    }

    /** Parameter: name. */
    String readRegister(String table) {
        return "SELECT version, process, counter, register_value FROM " + table + " WHERE name = ?";
    }

    /** All columns in the order of {@link #columnTypes}, and no row. */
    String readNothing(String table) {
        return "SELECT " + COLUMNS + " FROM " + table + " WHERE 1 = 0";
    }

    /** Which types, in lower case, each column may have. */
    List<Set<String>> columnTypes() {
        return columnTypes;
    }
}
