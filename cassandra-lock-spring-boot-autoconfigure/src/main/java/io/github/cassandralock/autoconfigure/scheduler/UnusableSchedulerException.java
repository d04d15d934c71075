package io.github.cassandralock.autoconfigure.scheduler;

import io.github.cassandralock.internal.failure.ExplainedException;

/** The application defines a bean {@code cassandraLockTaskScheduler} on which leases cannot be renewed. */
final class UnusableSchedulerException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    /** @param why what is wrong with the bean, without the subject of the sentence */
    UnusableSchedulerException(String why) {
        super(
                "The bean 'cassandraLockTaskScheduler', on which leases are renewed, " + why + ".",
                "Define it with '@Bean(defaultCandidate = false)', as a ConcurrentTaskScheduler over an executor of its own:"
                        + " 'new ConcurrentTaskScheduler(executor)'. Define the executor in the same way, so that it is shut"
                        + " down: 'Executors.newScheduledThreadPool(2)', or, for virtual threads,"
                        + " 'Executors.newScheduledThreadPool(2, Thread.ofVirtual().factory())'. Or remove the bean: then the"
                        + " locks have a scheduler with two threads.",
                null);
    }
}
