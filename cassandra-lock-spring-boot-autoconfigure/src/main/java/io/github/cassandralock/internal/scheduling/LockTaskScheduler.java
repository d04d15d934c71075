package io.github.cassandralock.internal.scheduling;

import io.github.cassandralock.internal.time.TimerThreads;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;

/**
 * The scheduler of the locks: two daemon threads, {@code cassandra-lock-1} and {@code -2}, until {@link #close()}. No life cycle of
 * a context stops it. Thread-safe.
 */
public class LockTaskScheduler extends SchedulerAlone implements AutoCloseable {

    private final ScheduledThreadPoolExecutor executor;

    public LockTaskScheduler() {
        this(TimerThreads.create());
    }

    private LockTaskScheduler(ScheduledThreadPoolExecutor executor) {
        super(new ConcurrentTaskScheduler(executor));
        this.executor = executor;
    }

    /** Ends the threads. Tasks that are not running are dropped. Idempotent. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
