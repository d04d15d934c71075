package io.github.cassandralock.internal.aop;

import io.github.cassandralock.internal.time.TimerThreads;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads on which publishers continue when the locker has answered. No task waits behind another task. All threads of a
 * shared scheduler may block in {@code getLock} for the lock that the next task would release. Daemon threads, which end when they
 * are idle for a minute. After the shutdown each task has a thread of its own, so that every subscription ends.
 */
final class PublisherThreads extends ThreadPoolExecutor {

    static final String PREFIX = TimerThreads.PREFIX + "publisher-";

    /** Created at the first publisher, because Reactor may be missing. */
    private volatile @Nullable Scheduler scheduler;

    PublisherThreads() {
        super(0, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>());
        AtomicInteger number = new AtomicInteger();
        setThreadFactory(TimerThreads.daemons(() -> PREFIX + number.incrementAndGet()));
        setRejectedExecutionHandler(
                (task, ended) -> getThreadFactory().newThread(task).start());
    }

    /** Two schedulers that are created at once have the same threads. */
    Scheduler scheduler() {
        Scheduler present = scheduler;
        if (present == null) {
            present = Schedulers.fromExecutorService(this, PREFIX);
            scheduler = present;
        }
        return present;
    }

    /** A subscription ends at a rejected task, but not at an error of the machine. */
    @Override
    public void execute(Runnable task) {
        try {
            super.execute(task);
        } catch (OutOfMemoryError e) {
            throw new RejectedExecutionException(
                    "No thread can be started to continue a publisher with @DistributedLock. The publisher ends with this error,"
                            + " and its lock is released. Raise the limit of threads of the process, or block fewer of them",
                    e);
        }
    }
}
