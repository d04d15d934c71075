package io.github.cassandralock.internal.transactions;

import io.github.cassandralock.exactlyonce.jdbc.NotConnectedException;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Registers in a database that the application also uses for its transactions. A thread in a transaction holds a connection, and
 * each request needs another one. If threads that wait for another connection held all of the pool, none would ever continue. A
 * thread in a transaction is therefore refused when the pool has given no connection within its time-out. Thread-safe.
 *
 * @param registers in the database; they take a connection for each request
 */
public record RegistersBesideTransactions(RegisterStore registers) implements RegisterStore {

    @Override
    public StoredValue read(String name) throws InterruptedException {
        try {
            return registers.read(name);
        } catch (RegisterUnavailableException e) {
            throw refusedWithinTransaction(name, e);
        }
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        try {
            return registers.compareAndSet(name, expected, value, writeId);
        } catch (RegisterUnavailableException e) {
            throw refusedWithinTransaction(name, e);
        }
    }

    private static RuntimeException refusedWithinTransaction(String name, RegisterUnavailableException e) {
        return e.getCause() instanceof NotConnectedException && holdsConnection()
                ? new RegisterRefusedException(
                        "The data source gave no connection for the register '" + name
                                + "'. This thread holds a connection, since it is in a transaction. Threads that hold a"
                                + " connection and wait for another would wait for ever. The message that was being"
                                + " pushed is perhaps in its queue. Push after the transaction, or use an outbox; or"
                                + " give the pool more connections than threads push within transactions at the same"
                                + " time.",
                        e)
                : e;
    }

    private static boolean holdsConnection() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.getResourceMap().values().stream()
                        .anyMatch(ConnectionHolder.class::isInstance);
    }
}
