package io.github.cassandralock.internal.locker.observe;

import io.github.cassandralock.internal.time.TimerThreads;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run the code of applications, so that slow code delays neither renewals nor the driver. A thread of callbacks,
 * steps or losses that waits for what another task may deliver is replaced meanwhile ({@link #replaceThisThread}).
 *
 * @param callbacks run the actions that follow asynchronous calls. After the end of the locker, the thread that has the answer
 *     runs them, so that every future completes
 * @param steps take the locks of calls for several locks, and end requests that were early; of applications they run observers
 *     only
 * @param losses run the callbacks for lost locks, which must not wait until other threads are free
 * @param listener runs the listeners, one event after the other
 */
public record CallbackThreads(
        ExecutorService callbacks, ExecutorService steps, ExecutorService losses, ExecutorService listener) {

    private static final int THREADS = 4;
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final RejectedExecutionHandler ON_THE_CALLERS_THREAD = (task, ended) -> task.run();

    /** The pool of the thread; null for other threads, and for threads that are not replaced. */
    private static final ThreadLocal<@Nullable Pool> POOL = new ThreadLocal<>();

    /** The time for which another thread does the tasks of a thread that waits. */
    @FunctionalInterface
    public interface Replacement extends AutoCloseable {

        Replacement NONE = () -> {};

        @Override
        void close();
    }

    /**
     * Adds a thread to the pool of the calling thread until the replacement is closed. The caller is about to wait, and the task
     * that ends the wait may be behind it in the queue. Hence there is no bound: with one, that task would never begin. Does nothing
     * on threads of no pool.
     */
    public static Replacement replaceThisThread() {
        Pool pool = POOL.get();
        return pool == null ? Replacement.NONE : pool.replacement();
    }

    /**
     * Adds a thread to the pool of losses until the replacement is closed, if the caller runs there. The caller is about to wait for
     * an answer of the store. No other task has to deliver it, but callbacks for other lost locks must not wait for it.
     */
    public static Replacement replaceThisThreadOfLosses() {
        Pool pool = POOL.get();
        return pool == null || pool.replaced != Replaced.IN_EACH_WAIT ? Replacement.NONE : pool.replacement();
    }

    /** In which waits the threads of a pool are replaced. */
    private enum Replaced {
        NEVER,
        IN_WAITS_FOR_TASKS,
        IN_EACH_WAIT
    }

    /** Starts daemon threads when there are tasks. Idle threads end after ten seconds. */
    public static CallbackThreads create() {
        return create(TimerThreads.PREFIX);
    }

    /** @param prefix of the names of the threads */
    public static CallbackThreads create(String prefix) {
        return new CallbackThreads(
                numbered(prefix + "callback-", Replaced.IN_WAITS_FOR_TASKS),
                numbered(prefix + "step-", Replaced.IN_WAITS_FOR_TASKS),
                numbered(prefix + "loss-", Replaced.IN_EACH_WAIT),
                new Pool(1, Replaced.NEVER, () -> prefix + "listener", new ThreadPoolExecutor.AbortPolicy()));
    }

    private static ExecutorService numbered(String prefix, Replaced replaced) {
        AtomicInteger number = new AtomicInteger();
        return new Pool(THREADS, replaced, () -> prefix + number.incrementAndGet(), ON_THE_CALLERS_THREAD);
    }

    /**
     * If the machine cannot start a new thread, the present ones run the task later. If there are none, the caller's thread runs
     * it, so that no task is lost. The caller is often a thread of the driver, where no code of applications must run.
     */
    private static final class Pool extends ThreadPoolExecutor {

        private final Replaced replaced;
        private final ReentrantLock size = new ReentrantLock();

        /** @param replaced unless never, tasks may begin before others have ended */
        Pool(int threads, Replaced replaced, Supplier<String> name, RejectedExecutionHandler refused) {
            super(
                    threads,
                    Integer.MAX_VALUE,
                    IDLE.toSeconds(),
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    TimerThreads.daemons(name),
                    refused);
            allowCoreThreadTimeOut(true);
            this.replaced = replaced;
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            if (replaced != Replaced.NEVER) {
                POOL.set(this);
            }
        }

        Replacement replacement() {
            replace(1);
            return () -> replace(-1);
        }

        /** The queue has no bound, so there are never more threads than this number when a thread starts. */
        private void replace(int threads) {
            size.lock();
            try {
                setCorePoolSize(getCorePoolSize() + threads);
            } catch (OutOfMemoryError e) {
                // The number is set. The next task starts a thread if the machine can.
            } finally {
                size.unlock();
            }
        }

        @Override
        public void execute(Runnable task) {
            AtomicBoolean begun = new AtomicBoolean();
            Runnable once = () -> {
                if (begun.compareAndSet(false, true)) {
                    task.run();
                }
            };
            try {
                super.execute(once);
            } catch (OutOfMemoryError e) {
                getQueue().add(once);
                if (getPoolSize() == 0) {
                    once.run();
                }
            }
        }
    }

    /** Ends the threads. Tasks that were added before still run. */
    public void shutdown() {
        steps.shutdown();
        callbacks.shutdown();
        losses.shutdown();
        listener.shutdown();
    }
}
