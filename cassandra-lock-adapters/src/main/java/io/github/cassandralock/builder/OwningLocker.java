package io.github.cassandralock.builder;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.internal.driver.DriverThreads;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A locker that closes its algorithm and its threads. Thread-safe. */
final class OwningLocker extends AlgorithmLocker implements CloseableLocker {

    private final ScheduledTimers timers;
    private final List<Runnable> endings;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param endings run after the algorithm has ended and before the timers do */
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
                Ticker.system(),
                timers,
                listeners,
                List.of(),
                CallbackThreads.create(),
                threads::dutyOfThisThread,
                policy);
        this.timers = timers;
        this.endings = endings;
    }

    @Override
    public void close(Duration longestWait) {
        if (!ended.getAndSet(true)) {
            try {
                super.close(longestWait);
            } finally {
                endings.forEach(Runnable::run);
                timers.close();
            }
        }
    }
}
