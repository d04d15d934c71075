package io.github.cassandralock.exactlyonce.jdbc;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import java.sql.SQLException;

/** The data source gave no connection, so nothing was sent. */
public final class NotConnectedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final SQLException failure;

    /** @param failure what the data source threw */
    public NotConnectedException(SQLException failure) {
        super("The data source gave no connection: " + failure.getMessage(), failure);
        this.failure = failure;
    }

    /** Whether the database refuses for good, such as with a wrong password. */
    public FailureMeaning meaning() {
        return SqlFailures.ofConnecting(failure);
    }
}
