package io.github.cassandralock.internal.shedlock;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.shedlock.CassandraLockProviders;

/** Makes the lock providers of ShedLock. Thread-safe. */
public class RemoteLockProviders implements CassandraLockProviders {

    private final RemoteLocker locker;
    private final String prefix;

    /**
     * @param locker acquires the locks
     * @param prefix begins the lock ids, so that the name of a job differs from a lock id of the application
     */
    public RemoteLockProviders(RemoteLocker locker, String prefix) {
        this.locker = locker;
        this.prefix = prefix;
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
        return new RemoteLockProvider(locker, prefixOfJobs, Ticker.system());
    }
}
