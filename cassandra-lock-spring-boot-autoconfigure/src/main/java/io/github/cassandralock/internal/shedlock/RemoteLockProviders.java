package io.github.cassandralock.internal.shedlock;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.shedlock.CassandraLockProviders;
import java.util.Optional;

/** Makes the lock providers of ShedLock. Ends with the application. Thread-safe. */
public class RemoteLockProviders implements CassandraLockProviders, AutoCloseable {

    private final RemoteLocker locker;
    private final String prefix;
    private final Timers timers;
    private final Optional<ScheduledTimers> ownTimers;

    /**
     * @param locker acquires the locks
     * @param prefix begins the lock ids, so that the name of a job differs from a lock id of the application
     * @param lockTimers end the holds of jobs that work for too long; empty if the locker is the application's own, and has none
     */
    public RemoteLockProviders(RemoteLocker locker, String prefix, Optional<Timers> lockTimers) {
        this.locker = locker;
        this.prefix = prefix;
        this.ownTimers = lockTimers.isPresent() ? Optional.empty() : Optional.of(new ScheduledTimers());
        this.timers = lockTimers.or(() -> ownTimers).orElseThrow();
    }

    @Override
    public RemoteLockProvider create() {
        return create(prefix);
    }

    @Override
    public RemoteLockProvider create(String prefixOfJobs) {
        if (prefixOfJobs == null) {
            throw new IllegalArgumentException(
                    "The prefix of the lock ids of jobs is null; pass a text, or use create()");
        }
        return new RemoteLockProvider(locker, prefixOfJobs, Ticker.system(), timers);
    }

    @Override
    public void close() {
        ownTimers.ifPresent(ScheduledTimers::close);
    }
}
