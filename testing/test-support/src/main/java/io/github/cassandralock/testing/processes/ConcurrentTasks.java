package io.github.cassandralock.testing.processes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs tasks on threads of their own. */
public final class ConcurrentTasks {

    private ConcurrentTasks() {}

    /** Runs each task on a thread of its own, and returns their results, in order, when all have ended. */
    public static <T> List<T> runAll(Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        return runAll(tasks, tasks.size());
    }

    /**
     * Returns the results of all tasks, in order, when all have ended.
     *
     * @param threads how many tasks run at the same time
     * @throws ExecutionException if a task failed
     */
    public static <T> List<T> runAll(Collection<? extends Callable<T>> tasks, int threads)
            throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(Math.max(1, Math.min(threads, tasks.size())));
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : executor.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }
}
