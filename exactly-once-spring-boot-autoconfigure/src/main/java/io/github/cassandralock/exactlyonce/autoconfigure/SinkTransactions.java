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
     * Returns the data source whose connection these transactions bind to the thread: the very object that the transaction manager
     * has. Does no I/O.
     *
     * @throws InvalidExactlyOncePropertyException if the application's transaction managers do not fit
     */
    DataSource boundBy(DataSource source);

    /**
     * Checks the name in the property, if it is set.
     *
     * @throws InvalidExactlyOncePropertyException if it is not the name of a transaction manager
     */
    void requireKnown();
}
