package io.github.cassandralock.internal.aop;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Rolls a transaction back, immediately before its commit, if a lock of its thread is lost. */
public record LeaseCheck(DistributedLockAspect aspect) implements TransactionExecutionListener {

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        aspect.ensureAllHeld();
    }
}
