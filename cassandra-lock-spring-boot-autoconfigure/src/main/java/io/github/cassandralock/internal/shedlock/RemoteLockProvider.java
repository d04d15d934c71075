package io.github.cassandralock.internal.shedlock;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.time.Ticker;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock provider of ShedLock. {@code lockAtLeastFor} is the minimum time of the request, and {@code lockAtMostFor} its longest
 * time. The lock of a crashed process is free sooner, with its lease. Thread-safe.
 */
public class RemoteLockProvider implements ExtensibleLockProvider {

    private static final Logger log = LoggerFactory.getLogger(RemoteLockProvider.class);

    private final RemoteLocker locker;
    private final String prefix;
    private final Ticker ticker;

    RemoteLockProvider(RemoteLocker locker, String prefix, Ticker ticker) {
        this.locker = locker;
        this.prefix = prefix;
        this.ticker = ticker;
    }

    /**
     * Acquires the lock if it is free. Blocks while Cassandra answers.
     *
     * @return empty if it is taken, or was lost before it could be returned, such as when {@code lockAtMostFor} is very short
     * @throws io.github.cassandralock.LockException if Cassandra fails
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LockRequest request = LockRequest.of(prefix + configuration.getName())
                .holdAtLeast(configuration.getLockAtLeastFor())
                .holdAtMost(configuration.getLockAtMostFor());
        try {
            return locker.tryGetLock(request).map(lock -> new JobLock(configuration, lock, ticker, ticker.nanos()));
        } catch (LockLostException e) {
            log.warn("The job '{}' does not run now, because its lock is over already", configuration.getName(), e);
            return Optional.empty();
        }
    }

    /** Names the prefix of its lock ids. */
    @Override
    public String toString() {
        return "RemoteLockProvider[" + prefix + "]";
    }
}
