package io.github.cassandralock.internal.transactions;

import io.github.cassandralock.exactlyonce.jdbc.LocalTransaction;
import io.github.cassandralock.exactlyonce.jdbc.LocalTransactions;
import io.github.cassandralock.exactlyonce.jdbc.NotConnectedException;
import io.github.cassandralock.exactlyonce.jdbc.TransactionSettings;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Begins transactions by a transaction manager. Thread-safe.
 *
 * @param name of the manager's bean
 * @param manager begins and ends the transactions
 * @param source the data source whose connection the manager binds to the thread; the very object that the manager has
 */
public record ManagedTransactions(String name, PlatformTransactionManager manager, DataSource source)
        implements LocalTransactions {

    private static final Logger log = LoggerFactory.getLogger(ManagedTransactions.class);

    @Override
    public LocalTransaction begin(TransactionSettings settings) throws NotConnectedException, InterruptedException {
        requireNoInterrupt();
        requireNoOtherTransaction();
        TransactionStatus status = begun();
        try {
            return new ManagedTransaction(manager, status, source, connectionHolder(), settings);
        } catch (SQLException e) {
            rollBack(status);
            requireNoInterrupt();
            throw new NotConnectedException(e);
        } catch (RuntimeException | Error e) {
            rollBack(status);
            throw e;
        }
    }

    private static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private static void requireNoOtherTransaction() {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "The thread of this copy is in a transaction already. An effect or a listener has begun it and has"
                            + " not ended it. End each transaction where it was begun");
        }
    }

    private TransactionStatus begun() throws NotConnectedException, InterruptedException {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setName("exactly-once effect");
        try {
            return manager.getTransaction(definition);
        } catch (RuntimeException e) {
            requireNoInterrupt();
            throw new NotConnectedException(ManagedTransaction.sqlExceptionOf(e));
        }
    }

    private ConnectionHolder connectionHolder() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            throw refused(
                    "has transaction synchronization switched off, so its commits cannot be watched. Switch it on");
        }
        if (TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder) {
            return holder;
        }
        throw refused(
                "does not begin transactions of the data source of exactly once. A message and its effect would not be"
                        + " committed together. Name another manager by 'exactly-once.jdbc.transaction-manager-bean'");
    }

    private RegisterRefusedException refused(String why) {
        return new RegisterRefusedException(
                "The transaction manager '" + name + "' " + why,
                new IllegalStateException("unfit transaction manager"));
    }

    private void rollBack(TransactionStatus status) {
        try {
            manager.rollback(status);
        } catch (RuntimeException e) {
            log.debug("A transaction that could not be set up could not be rolled back either", e);
        }
    }
}
