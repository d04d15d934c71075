package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.LockException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds out whether locks can be taken, by taking one that nobody else is interested in. Thread-safe. */
public final class LockProbe {

    private final RemoteLocker locker;
    private final String algorithm;
    private final String lockId = "cassandra-lock:health:" + UUID.randomUUID();

    /** @param algorithm how locks are taken, for people: during a roll-out instances differ in it */
    public LockProbe(RemoteLocker locker, String algorithm) {
        this.locker = locker;
        this.algorithm = algorithm;
    }

    String algorithm() {
        return algorithm;
    }

    /**
     * Takes and releases the lock. That another check of this instance holds it just now is as good an answer.
     *
     * @return what prevents locks from being taken, or null if nothing does
     */
    @Nullable
    RuntimeException problem() {
        try {
            Optional<RemoteLock> lock = locker.tryGetLock(lockId);
            lock.ifPresent(RemoteLock::close);
            return null;
        } catch (LockException | IllegalStateException e) {
            return e;
        }
    }
}
