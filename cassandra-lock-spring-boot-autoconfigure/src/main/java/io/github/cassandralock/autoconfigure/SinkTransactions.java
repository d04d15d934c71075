package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.exactlyonce.jdbc.LocalTransactions;
import javax.sql.DataSource;

/** The transactions in which the effects of sinks run. */
interface SinkTransactions {

    /**
     * Those of the transaction manager of a data source. Does no I/O.
     *
     * @throws InvalidExactlyOncePropertyException if the application's transaction managers do not fit
     */
    LocalTransactions of(DataSource source);

    /** @throws InvalidExactlyOncePropertyException if the property names no transaction manager; nothing happens if it is not set */
    void requireKnown();
}
