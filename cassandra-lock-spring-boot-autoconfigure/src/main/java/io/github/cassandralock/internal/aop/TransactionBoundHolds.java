package io.github.cassandralock.internal.aop;

import java.util.List;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps locks that were acquired inside a transaction until the transaction has ended. If they were released earlier, the next
 * holder would not see the data of that transaction.
 */
record TransactionBoundHolds(Holds holds, ThreadLocks threadLocks) implements TransactionSynchronization {

    /**
     * Whether the thread is in a transaction that has not ended. Between its commit and its clean-up, in listeners for example, a
     * transaction is still active but has no synchronizations.
     */
    static boolean isInTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** Returns whether the caller is in a transaction. If so, the transaction shares the locks until its end. */
    static boolean ifTransactionIsActive(List<Hold> taken, ThreadLocks threadLocks) {
        boolean active = isInTransaction();
        if (active) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionBoundHolds(
                    new Holds(List.of(), taken.stream().map(Hold::share).toList()), threadLocks));
        }
        return active;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        holds.ensureHeld();
    }

    /** May run on another thread than the calls, for example with JTA. */
    @Override
    public void afterCompletion(int status) {
        holds.all().forEach(threadLocks::remove);
        holds.leave();
    }
}
