package io.github.cassandralock.internal.time;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of timers, two for each locker. */
public final class TimerThreads {

    private static final int THREADS = 2;

    /** The beginning of the names of threads, unless an application has several lockers. */
    public static final String PREFIX = "cassandra-lock-";

    private TimerThreads() {}

    /** Creates an executor whose threads are {@code cassandra-lock-1} and {@code -2}. */
    public static ScheduledThreadPoolExecutor create() {
        return create(PREFIX);
    }

    /** Creates an executor with two daemon threads. Cancelled tasks leave its queue at once. The caller shuts it down. */
    public static ScheduledThreadPoolExecutor create(String prefix) {
        AtomicInteger number = new AtomicInteger();
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }
}
