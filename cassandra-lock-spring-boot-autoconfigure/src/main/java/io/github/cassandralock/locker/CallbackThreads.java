package io.github.cassandralock.locker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The threads on which users' code runs, so that a slow one delays neither renewals nor the driver. */
final class CallbackThreads {

    private static final int THREADS = 4;
    private static final int MOST_EVENTS_WAITING = 10_000;
    private static final long IDLE_SECONDS = 10;

    private CallbackThreads() {}

    /** After its end, which is the locker's, nobody is left without an answer. */
    static ThreadPoolExecutor forCallbacks() {
        return forAnswers("cassandra-lock-callback-");
    }

    /** For what must be heard however busy the other threads are. */
    static ThreadPoolExecutor forLosses() {
        return forAnswers("cassandra-lock-loss-");
    }

    private static ThreadPoolExecutor forAnswers(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return create(
                THREADS,
                () -> prefix + number.incrementAndGet(),
                new LinkedBlockingQueue<>(),
                (task, ended) -> task.run());
    }

    /** One thread, which keeps the order; it refuses what is too much, or too late. */
    static ThreadPoolExecutor forListeners() {
        return create(
                1,
                () -> "cassandra-lock-listener",
                new LinkedBlockingQueue<>(MOST_EVENTS_WAITING),
                new ThreadPoolExecutor.AbortPolicy());
    }

    private static ThreadPoolExecutor create(
            int threads, Supplier<String> name, BlockingQueue<Runnable> queue, RejectedExecutionHandler refused) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                queue,
                task -> {
                    Thread thread = new Thread(task, name.get());
                    thread.setDaemon(true);
                    return thread;
                },
                refused);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
