package io.github.cassandralock.exactlyonce.jdbc;

/** Begins transactions of one database: by JDBC, or by the transaction manager of a framework. Thread-safe. */
@FunctionalInterface
public interface LocalTransactions {

    /**
     * Begins a transaction on the caller's thread. Blocks until the data source returns a connection. If the settings are deferred,
     * no query may run before the first one of the caller. That query sets the transaction up.
     *
     * @param settings of the transaction
     * @return the transaction; to be closed by the same thread
     * @throws NotConnectedException if the data source returns no connection, or no transaction can be begun on it
     * @throws InterruptedException if the thread was interrupted
     */
    LocalTransaction begin(TransactionSettings settings) throws NotConnectedException, InterruptedException;
}
