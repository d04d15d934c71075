package io.github.cassandralock.locker;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads on which users' callbacks run, so that a slow one delays neither renewals nor the driver. */
final class CallbackThreads {

    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private CallbackThreads() {}

    static ExecutorService create() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "cassandra-lock-callback-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                // after its end, which is the locker's, nobody is left without an answer
                (task, ended) -> task.run());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
