package io.github.cassandralock.exactlyonce.store.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.Database;

/** The statements on the table of registers. */
record RegisterStatements(Database database, String table) {

    static final String COLUMNS = "name, version, process, counter, register_value";

    String createTable() {
        return "CREATE TABLE IF NOT EXISTS " + table + " (name " + database.getNameType()
                + " PRIMARY KEY, version bigint NOT NULL, process uuid NOT NULL, counter bigint NOT NULL, register_value "
                + database.getBytesType() + " NOT NULL)";
    }

    /** Parameters: name, process, counter, value. In H2, a name that exists is an error. */
    String createRegister() {
        return "INSERT INTO " + table + " (" + COLUMNS + ") VALUES (?, 1, ?, ?, ?)"
                + switch (database) {
                    case POSTGRESQL -> " ON CONFLICT (name) DO NOTHING";
                    case H2 -> "";
                };
    }

    /** Parameters: new version, process, counter, value, name, expected version. */
    String replaceRegister() {
        return "UPDATE " + table
                + " SET version = ?, process = ?, counter = ?, register_value = ? WHERE name = ? AND version = ?";
    }

    /** Changes nothing. Parameters: name, version. */
    String confirmRegister() {
        return "UPDATE " + table + " SET version = version WHERE name = ? AND version = ?";
    }

    /** Parameter: name. */
    String readRegister() {
        return "SELECT version, process, counter, register_value FROM " + table + " WHERE name = ?";
    }

    /** All columns, and no row. */
    String readNothing() {
        return "SELECT " + COLUMNS + " FROM " + table + " WHERE 1 = 0";
    }
}
