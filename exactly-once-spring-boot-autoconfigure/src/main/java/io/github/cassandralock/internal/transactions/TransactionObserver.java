package io.github.cassandralock.internal.transactions;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Observes the transactions of a transaction manager that have a JDBC connection. */
public final class TransactionObserver implements TransactionExecutionListener {

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure == null) {
            begun(transaction)
                    .ifPresent(begun -> holder(begun)
                            .ifPresent(held -> ObservedTransaction.begin(held, begun.isNewSynchronization())));
        }
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        afterCallbacks(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        afterCallbacks(transaction);
    }

    private static void afterCallbacks(TransactionExecution transaction) {
        begun(transaction).flatMap(TransactionObserver::holder).ifPresent(ObservedTransaction::end);
    }

    /** Empty for a savepoint. */
    private static Optional<DefaultTransactionStatus> begun(TransactionExecution transaction) {
        return Optional.of(transaction)
                .filter(TransactionExecution::isNewTransaction)
                .filter(DefaultTransactionStatus.class::isInstance)
                .map(DefaultTransactionStatus.class::cast);
    }

    private static Optional<ConnectionHolder> holder(DefaultTransactionStatus begun) {
        return begun.getTransaction() instanceof JdbcTransactionObjectSupport jdbc && jdbc.hasConnectionHolder()
                ? Optional.of(jdbc.getConnectionHolder())
                : Optional.empty();
    }
}
