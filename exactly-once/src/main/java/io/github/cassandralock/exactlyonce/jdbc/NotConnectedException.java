package io.github.cassandralock.exactlyonce.jdbc;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import java.sql.SQLException;

/** The data source returned no connection, or no transaction could be begun on it, so nothing was changed. */
public final class NotConnectedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final SQLException failure;

    /** @param failure what the data source threw */
    public NotConnectedException(SQLException failure) {
        super("The data source gave no connection: " + failure.getMessage(), failure);
        this.failure = failure;
    }

    /**
     * {@link FailureMeaning#REFUSED} if the database refuses permanently, such as with a wrong password. Otherwise {@link
     * FailureMeaning#NOT_APPLIED}.
     */
    public FailureMeaning getMeaning() {
        return SqlFailures.ofConnecting(failure);
    }
}
