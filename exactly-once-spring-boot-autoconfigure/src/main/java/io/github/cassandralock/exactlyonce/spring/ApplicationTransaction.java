package io.github.cassandralock.exactlyonce.spring;

import io.github.cassandralock.internal.transactions.ObservedTransaction;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.SimpleConnectionHandle;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of the application on this thread. A message belongs to it if it is a transaction of the same database, and its
 * commit has not begun.
 */
final class ApplicationTransaction {

    private static final Logger log = LoggerFactory.getLogger(ApplicationTransaction.class);

    private ApplicationTransaction() {}

    /**
     * Whether the transaction of this thread will commit or roll back a message.
     *
     * @return false if the message needs a transaction of its own, or joins a transaction without synchronization
     * @throws IllegalStateException if the transaction has ended, or is of another database
     */
    static boolean keeps(DataSource source, String queue) {
        Optional<ConnectionHolder> bound = bound(source);
        Optional<ObservedTransaction> observed = bound.flatMap(ObservedTransaction::of);
        if (observed.isEmpty()) {
            return keepsUnobserved(source, queue);
        }
        if (observed.get().hasEnded() || isAutoCommit(bound.get())) { // the latter in callbacks of Hibernate
            throw ended(queue);
        }
        return true;
    }

    private static Optional<ConnectionHolder> bound(DataSource source) {
        return Optional.ofNullable(TransactionSynchronizationManager.getResource(source))
                .filter(ConnectionHolder.class::isInstance)
                .map(ConnectionHolder.class::cast);
    }

    /** For managers that nothing observes. Without synchronization, Spring calls back after the end of an active transaction. */
    private static boolean keepsUnobserved(DataSource source, String queue) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            requireToKeep(source, queue);
            return true;
        }
        if (TransactionSynchronizationManager.hasResource(source)) {
            throw ended(queue);
        }
        return false;
    }

    private static void requireToKeep(DataSource source, String queue) {
        Optional<CommitWatch> watch = CommitWatch.present();
        if (watch.filter(present -> present.committed).isPresent()) {
            throw ended(queue);
        }
        if (!isOf(source)) {
            throw new IllegalStateException(
                    "The transaction of this thread is not of the database of exactly-once messages. A rollback would"
                            + " not take the message back. Push within a transaction of that database, or name its data"
                            + " source by 'exactly-once.jdbc.data-source-bean'.");
        }
        if (watch.isEmpty()) {
            TransactionSynchronizationManager.registerSynchronization(new CommitWatch(queue));
        }
    }

    private static IllegalStateException ended(String queue) {
        return new IllegalStateException("The transaction of this thread has ended, so no message was pushed to queue '"
                + queue + "'. Push before the commit, or in a transaction of its own, with the propagation"
                + " REQUIRES_NEW.");
    }

    private static boolean isOf(DataSource source) {
        return bound(source)
                .filter(bound -> !isAutoCommit(bound) && !isOnlyForReads(bound, source))
                .isPresent();
    }

    private static boolean isAutoCommit(ConnectionHolder bound) {
        try {
            return bound.getConnection().getAutoCommit();
        } catch (SQLException e) {
            throw new TransientDataAccessResourceException("The connection of the transaction does not answer", e);
        }
    }

    /**
     * Within the transaction of another database, a read binds such a connection to the thread. Nobody commits it. Managers of an
     * ORM bind handles of their own.
     */
    private static boolean isOnlyForReads(ConnectionHolder bound, DataSource source) {
        return bound.isSynchronizedWithTransaction()
                && bound.getConnectionHandle() instanceof SimpleConnectionHandle
                && !isBegun(source);
    }

    private static boolean isBegun(DataSource source) {
        try {
            new JdbcTransactionManager(source)
                    .getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
            return true; // it participates, so there is nothing to complete
        } catch (IllegalTransactionStateException e) {
            return false;
        }
    }

    /** Detects messages that were pushed when the commit was over: nobody commits them for certain. */
    private static final class CommitWatch implements TransactionSynchronization {

        private final String queue;
        private boolean committed;

        private CommitWatch(String queue) {
            this.queue = queue;
        }

        /** The watch of this thread's transaction; empty before the first push. */
        static Optional<CommitWatch> present() {
            return TransactionSynchronizationManager.getSynchronizations().stream()
                    .filter(CommitWatch.class::isInstance)
                    .map(CommitWatch.class::cast)
                    .findFirst();
        }

        /** Before others, whose failures would keep the commit from this object. */
        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void afterCommit() {
            committed = true;
        }

        /** Spring does not call {@link #afterCommit} if the object was registered after the commit. */
        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED && !committed) {
                log.error(
                        "A message was pushed to queue '{}' after the commit of its transaction, in a callback 'afterCommit'."
                                + " It may be lost. Push before the commit, or in a transaction of its own, with the"
                                + " propagation REQUIRES_NEW",
                        queue);
            }
        }
    }
}
