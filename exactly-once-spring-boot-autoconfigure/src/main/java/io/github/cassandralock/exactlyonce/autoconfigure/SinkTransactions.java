package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.jdbc.LocalTransactions;
import javax.sql.DataSource;

/** The transactions in which the effects of sinks run. */
interface SinkTransactions {

    /**
     * Returns the transactions of the transaction manager of a data source. Does no I/O.
     *
     * @throws InvalidExactlyOncePropertyException if the application's transaction managers do not fit
     */
    LocalTransactions of(DataSource source);

    /**
     * Checks the name in the property, if it is set.
     *
     * @throws InvalidExactlyOncePropertyException if it is not that of a transaction manager
     */
    void requireKnown();
}
