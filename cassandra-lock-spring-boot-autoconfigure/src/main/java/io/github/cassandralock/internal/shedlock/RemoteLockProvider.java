package io.github.cassandralock.internal.shedlock;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.time.Ticker;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * The lock provider of ShedLock. {@code lockAtLeastFor} is the minimum time of the request; {@code lockAtMostFor} bounds the hold
 * of a job that works for longer: the lock of a process that has crashed is free sooner, with its lease. Thread-safe.
 */
public class RemoteLockProvider implements ExtensibleLockProvider {

    private final RemoteLocker locker;
    private final String prefix;
    private final Ticker ticker;

    /**
     * Creates a provider whose locks are taken by this locker.
     *
     * @param prefix begins the lock ids, so that the name of a job does not mean the same lock as a lock id of the application
     */
    public RemoteLockProvider(RemoteLocker locker, String prefix) {
        this.locker = locker;
        this.prefix = prefix;
        this.ticker = Ticker.system();
    }

    /**
     * Takes the lock if it is free. Blocks while Cassandra answers.
     *
     * @return empty if it is taken
     * @throws io.github.cassandralock.LockException if Cassandra fails
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        long askedAt = ticker.nanos();
        LockRequest request =
                LockRequest.of(prefix + configuration.getName()).holdAtLeast(configuration.getLockAtLeastFor());
        return locker.tryGetLock(request).map(lock -> JobLock.taken(configuration, lock, ticker, askedAt));
    }
}
