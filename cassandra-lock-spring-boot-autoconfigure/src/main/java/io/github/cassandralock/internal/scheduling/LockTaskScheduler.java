package io.github.cassandralock.internal.scheduling;

import io.github.cassandralock.internal.time.TimerThreads;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;

/**
 * The scheduler of the locks: two daemon threads until {@link #close()}. No life cycle of
 * a context stops it. Thread-safe.
 */
public class LockTaskScheduler extends SchedulerAlone implements AutoCloseable {

    private final ScheduledThreadPoolExecutor executor;

    /** @param prefix of the names of the threads */
    public LockTaskScheduler(String prefix) {
        this(TimerThreads.create(prefix));
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
