package io.github.cassandralock.internal.aop;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Makes a transaction roll back, at the last moment before it commits, if a lock that its thread works under is lost. */
final class TransactionLeaseCheck implements TransactionExecutionListener {

    private final ThreadLocks threadLocks;

    TransactionLeaseCheck(ThreadLocks threadLocks) {
        this.threadLocks = threadLocks;
    }

    /** What is thrown here makes the transaction manager roll back. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        threadLocks.ensureAllHeld();
    }
}
