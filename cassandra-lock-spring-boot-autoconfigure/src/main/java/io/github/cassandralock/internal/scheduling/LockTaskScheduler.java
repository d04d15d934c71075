package io.github.cassandralock.internal.scheduling;

import io.github.cassandralock.internal.time.TimerThreads;
import java.util.concurrent.ExecutorService;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;

/**
 * Contains the scheduler of the locks, and is no {@link TaskScheduler} and no executor. Spring runs methods with {@code @Scheduled}
 * or {@code @Async} on the only bean of such a type. The bean may be no default candidate, and may belong to a parent context.
 *
 * <p>No life cycle of a context stops the scheduler. Thread-safe.
 */
public final class LockTaskScheduler implements AutoCloseable {

    private final TaskScheduler scheduler;

    public LockTaskScheduler(TaskScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Returns a scheduler with two daemon threads until {@link #close()}.
     *
     * @param prefix of the names of the threads
     */
    public static LockTaskScheduler withThreads(String prefix) {
        return new LockTaskScheduler(new ConcurrentTaskScheduler(TimerThreads.create(prefix)));
    }

    public TaskScheduler scheduler() {
        return scheduler;
    }

    /**
     * Ends the threads of a {@link ConcurrentTaskScheduler}, which has no end itself. Tasks that are not running are dropped.
     * Idempotent.
     */
    @Override
    public void close() {
        if (scheduler.getClass() == ConcurrentTaskScheduler.class
                && ((ConcurrentTaskScheduler) scheduler).getConcurrentExecutor() instanceof ExecutorService executor) {
            executor.shutdownNow();
        }
    }
}
