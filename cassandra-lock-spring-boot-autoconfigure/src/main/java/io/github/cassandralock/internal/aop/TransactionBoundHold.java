package io.github.cassandralock.internal.aop;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a lock that was taken inside a transaction until the transaction has ended. If it were released earlier, the next
 * holder would not see the data of that transaction.
 */
final class TransactionBoundHold implements TransactionSynchronization {

    private final Hold hold;
    private final ThreadLocks threadLocks;

    private TransactionBoundHold(Hold hold, ThreadLocks threadLocks) {
        this.hold = hold;
        this.threadLocks = threadLocks;
    }

    /** Returns whether the caller has an active transaction. If so, the transaction shares the hold until its end. */
    static boolean ifTransactionIsActive(Hold hold, ThreadLocks threadLocks) {
        boolean active = TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
        if (active) {
            TransactionSynchronizationManager.registerSynchronization(
                    new TransactionBoundHold(hold.share(), threadLocks));
        }
        return active;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        hold.lock().ensureHeld();
    }

    @Override
    public void afterCompletion(int status) {
        threadLocks.remove(hold);
        hold.leave();
    }
}
