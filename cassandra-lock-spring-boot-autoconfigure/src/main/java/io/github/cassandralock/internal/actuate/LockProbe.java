package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.LockException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Checks whether locks can be acquired, with a lock whose id only this object uses. Thread-safe. */
public final class LockProbe {

    /** A check must not hang, neither while a lazy start creates tables nor while Cassandra is slow. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final RemoteLocker locker;
    private final String algorithm;
    private final Supplier<Map<String, String>> clusters;
    private final String lockId = "cassandra-lock:health:" + UUID.randomUUID();

    /**
     * @param algorithm the name of the algorithm, for the health details: during a roll-out instances differ in it
     * @param clusters the state of each cluster of a majority, by its id; empty for other algorithms
     */
    public LockProbe(RemoteLocker locker, String algorithm, Supplier<Map<String, String>> clusters) {
        this.locker = locker;
        this.algorithm = algorithm;
        this.clusters = clusters;
    }

    /** The details of the health, beside the exception. */
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("algorithm", algorithm);
        Map<String, String> states = clusters.get();
        if (!states.isEmpty()) {
            details.put("clusters", states);
        }
        return details;
    }

    /**
     * Acquires and releases the lock. Blocks for five seconds at most. If a concurrent check of this instance holds it, locks work.
     *
     * @return why no lock can be acquired; empty if one can
     */
    public Optional<RuntimeException> problem() {
        try {
            Optional<RemoteLock> lock = locker.tryGetLock(lockId, LONGEST_WAIT);
            lock.ifPresent(RemoteLock::close);
            return Optional.empty();
        } catch (LockException | IllegalStateException e) {
            return Optional.of(e);
        }
    }
}
