package io.github.cassandralock.exactlyonce.jdbc;

import java.sql.SQLException;

/**
 * The data source returned no connection, or no transaction could be begun on it, so nothing was changed. Another attempt may
 * succeed, even after a wrong password: a pool may receive its new secret later than the database.
 */
public final class NotConnectedException extends Exception {

    private static final long serialVersionUID = 1L;

    /** @param failure what the data source threw */
    public NotConnectedException(SQLException failure) {
        super("The data source gave no connection: " + failure.getMessage(), failure);
    }
}
