package io.github.cassandralock.builder;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.internal.driver.DriverThreads;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A locker that closes its algorithm and its threads. Thread-safe. Aspects of an application can extend it. */
class OwningLocker extends AlgorithmLocker implements CloseableLocker {

    private final List<Runnable> endings;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param endings run in this order after the algorithm has ended; the timers' end is the last one */
    OwningLocker(
            LockAlgorithm algorithm,
            Duration lease,
            ScheduledTimers timers,
            DriverThreads threads,
            List<LockListener> listeners,
            AbandonedPolicy policy,
            List<Runnable> endings) {
        super(
                algorithm,
                lease,
                timers.ticker(),
                timers,
                listeners,
                () -> CallObserver.NONE,
                CallbackThreads.create(),
                threads::dutyOfThisThread,
                policy);
        this.endings = endings;
    }

    @Override
    public void close(Duration longestWait) {
        if (!ended.getAndSet(true)) {
            try {
                super.close(longestWait);
            } finally {
                endAll(endings);
            }
        }
    }

    /** Runs all, even if one throws. */
    static void endAll(Iterable<Runnable> endings) {
        RuntimeException failure = null;
        for (Runnable ending : endings) {
            try {
                ending.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
