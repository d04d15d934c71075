package io.github.cassandralock.internal.time;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The threads of timers, two for each locker, and how threads of the locks are made. */
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
        ScheduledThreadPoolExecutor executor =
                new ScheduledThreadPoolExecutor(THREADS, daemons(() -> prefix + number.incrementAndGet()));
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }

    /** Returns a factory of daemon threads, each with the next name. */
    public static ThreadFactory daemons(Supplier<String> name) {
        return task -> {
            Thread thread = new Thread(task, name.get());
            thread.setDaemon(true);
            return thread;
        };
    }
}
