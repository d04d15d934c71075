package io.github.cassandralock.exactlyonce.copy;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Runs tasks of a copy at the same time. Thread-safe. */
@FunctionalInterface
public interface Branches {

    /**
     * Runs tasks at the same time, and returns when all of them have ended. Blocks as long as they do.
     *
     * @param tasks that end if they are interrupted
     * @throws InterruptedException if the thread was interrupted: the tasks were interrupted as well, and have ended
     * @throws Exception the first that a task threw, in the order of the tasks
     */
    void run(List<Callable<?>> tasks) throws Exception;

    /**
     * Branches in threads that end with their task. The calling thread runs the first task itself, which saves a
     * thread.
     *
     * @param factory makes the threads
     */
    static Branches inThreads(ThreadFactory factory) {
        return tasks -> {
            List<FutureTask<?>> running =
                    tasks.stream().<FutureTask<?>>map(FutureTask::new).toList();
            List<Thread> threads =
                    running.stream().skip(1).map(factory::newThread).toList();
            String name = Thread.currentThread().getName();
            threads.forEach(thread -> {
                thread.setName(name + "-branch");
                thread.start();
            });
            FutureTask<?> own = running.get(0);
            own.run();
            if (failureOf(own) instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            awaitEnd(threads);
            for (FutureTask<?> task : running) {
                rethrow(failureOf(task));
            }
        };
    }

    private static void awaitEnd(List<Thread> threads) throws InterruptedException {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    threads.forEach(Thread::interrupt);
                }
            }
        }
        if (Thread.interrupted() || interrupted) {
            throw new InterruptedException();
        }
    }

    /** Null if the task has not failed. It has ended. */
    private static @Nullable Throwable failureOf(FutureTask<?> task) throws InterruptedException {
        try {
            task.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof Exception exception) {
            throw exception;
        }
    }
}
