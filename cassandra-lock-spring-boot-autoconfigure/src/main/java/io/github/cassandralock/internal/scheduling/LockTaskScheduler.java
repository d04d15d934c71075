package io.github.cassandralock.internal.scheduling;

import io.github.cassandralock.internal.time.TimerThreads;
import java.lang.reflect.Field;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.util.ReflectionUtils;

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
     * Returns the executor on which a {@link ConcurrentTaskScheduler} runs timers. The scheduler may have another one, for tasks
     * without a start time.
     *
     * @return empty for other schedulers
     */
    public Optional<Object> executor() {
        return scheduler instanceof ConcurrentTaskScheduler concurrent
                ? Optional.ofNullable(executorOfTimers(concurrent))
                : Optional.empty();
    }

    /** Spring has no method that returns it, but one field of this type. */
    private static @Nullable Object executorOfTimers(ConcurrentTaskScheduler scheduler) {
        Field field = ReflectionUtils.findField(ConcurrentTaskScheduler.class, null, ScheduledExecutorService.class);
        if (field == null) {
            return scheduler.getConcurrentExecutor();
        }
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, scheduler);
    }

    /**
     * Ends the threads of a {@link ConcurrentTaskScheduler}, which has no end itself. Tasks that are not running are dropped.
     * Idempotent.
     */
    @Override
    public void close() {
        if (scheduler.getClass() == ConcurrentTaskScheduler.class
                && executor().orElse(null) instanceof ExecutorService executor) {
            executor.shutdownNow();
        }
    }
}
