package io.github.cassandralock.internal.aop;

import java.util.List;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps locks that were acquired inside a transaction until the transaction has ended. If they were released earlier, the next
 * holder would not see the data of that transaction.
 */
record TransactionBoundHolds(Holds holds, ThreadLocks threadLocks) implements TransactionSynchronization {

    /** Returns whether the caller has an active transaction. If so, the transaction shares the locks until its end. */
    static boolean ifTransactionIsActive(List<Hold> taken, ThreadLocks threadLocks) {
        boolean active = TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
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
