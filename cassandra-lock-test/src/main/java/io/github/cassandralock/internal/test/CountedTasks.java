package io.github.cassandralock.internal.test;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs tasks on the threads of another executor, and counts those that have not ended. Thread-safe. */
public final class CountedTasks extends AbstractExecutorService {

    private final ExecutorService threads;
    private final AtomicInteger underWay;

    /** @param underWay counts the tasks, also tasks of other executors */
    public CountedTasks(ExecutorService threads, AtomicInteger underWay) {
        this.threads = threads;
        this.underWay = underWay;
    }

    @Override
    public void execute(Runnable task) {
        underWay.incrementAndGet();
        threads.execute(() -> {
            try {
                task.run();
            } finally {
                underWay.decrementAndGet();
            }
        });
    }

    @Override
    public void shutdown() {
        threads.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return threads.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return threads.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return threads.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return threads.awaitTermination(timeout, unit);
    }
}
