package io.github.cassandralock.internal.time;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of timers, {@code cassandra-lock-1} and {@code -2}. */
public final class TimerThreads {

    private static final int THREADS = 2;

    private TimerThreads() {}

    /** Creates an executor with two daemon threads. Cancelled tasks leave its queue at once. The caller shuts it down. */
    public static ScheduledThreadPoolExecutor create() {
        AtomicInteger number = new AtomicInteger();
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "cassandra-lock-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }
}
