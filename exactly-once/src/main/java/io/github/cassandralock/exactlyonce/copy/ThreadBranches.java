package io.github.cassandralock.exactlyonce.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Threads are kept for a second, because a busy handler has tasks every few milliseconds. */
final class ThreadBranches implements Branches {

    private static final long IDLE_SECONDS = 1;

    private final Executor threads;

    ThreadBranches(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    /** A task in another thread. It always runs, and sees an interrupt that came before it began. */
    private static final class Branch implements Runnable {

        private final FutureTask<?> task;
        private final String name;
        private final CountDownLatch ended = new CountDownLatch(1);
        private @Nullable Thread runner;
        private boolean interrupted;

        Branch(FutureTask<?> task, String name) {
            this.task = task;
            this.name = name;
        }

        @Override
        public void run() {
            Thread thread = Thread.currentThread();
            String idle = thread.getName();
            try {
                begin(thread);
                task.run();
            } finally {
                end();
                thread.setName(idle);
                ended.countDown();
            }
        }

        private synchronized void begin(Thread thread) {
            thread.setName(name);
            runner = thread;
            if (interrupted) {
                thread.interrupt();
            }
        }

        private synchronized void end() {
            runner = null;
        }

        synchronized void interrupt() {
            interrupted = true;
            if (runner != null) {
                runner.interrupt();
            }
        }
    }

    @Override
    public void run(List<Callable<?>> tasks) throws Exception {
        List<FutureTask<?>> running =
                tasks.stream().<FutureTask<?>>map(FutureTask::new).toList();
        FutureTask<?> own = running.get(0);
        List<Branch> others = begin(running.subList(1, running.size()));
        own.run();
        if (failureOf(own) instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        awaitEnd(others);
        for (FutureTask<?> task : running) {
            rethrow(failureOf(task));
        }
    }

    /** If a thread cannot be had, none of the tasks is left behind. */
    private List<Branch> begin(List<FutureTask<?>> tasks) throws InterruptedException {
        String name = Thread.currentThread().getName() + "-branch";
        List<Branch> begun = new ArrayList<>();
        try {
            for (FutureTask<?> task : tasks) {
                Branch branch = new Branch(task, name);
                threads.execute(branch);
                begun.add(branch);
            }
        } catch (RuntimeException | Error e) {
            begun.forEach(Branch::interrupt);
            awaitEnd(begun);
            throw e;
        }
        return begun;
    }

    private static void awaitEnd(List<Branch> branches) throws InterruptedException {
        boolean interrupted = false;
        for (Branch branch : branches) {
            while (branch.ended.getCount() > 0) {
                try {
                    branch.ended.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                    branches.forEach(Branch::interrupt);
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
