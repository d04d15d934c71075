package io.github.cassandralock.internal.aop;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Rolls a transaction back, immediately before its commit, if a lock of its thread is lost. */
final class TransactionLeaseCheck implements TransactionExecutionListener {

    private final ThreadLocks threadLocks;

    TransactionLeaseCheck(ThreadLocks threadLocks) {
        this.threadLocks = threadLocks;
    }

    /** An exception from this method makes the transaction manager roll back. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        threadLocks.ensureAllHeld();
    }
}
