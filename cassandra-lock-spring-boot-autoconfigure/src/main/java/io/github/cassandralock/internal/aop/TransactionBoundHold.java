package io.github.cassandralock.internal.aop;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a lock that was taken inside a transaction until that transaction has ended: released any earlier, someone else
 * would work on data that is not committed yet.
 */
final class TransactionBoundHold implements TransactionSynchronization {

    private final Hold hold;
    private final ThreadLocks threadLocks;

    private TransactionBoundHold(Hold hold, ThreadLocks threadLocks) {
        this.hold = hold;
        this.threadLocks = threadLocks;
    }

    /** Returns whether a transaction of the caller's is active, which then shares the hold until it ends. */
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
