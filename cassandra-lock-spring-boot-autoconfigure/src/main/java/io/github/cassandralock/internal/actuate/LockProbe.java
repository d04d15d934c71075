package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Checks whether locks can be acquired. Thread-safe.
 *
 * @param algorithm the name of the algorithm, for the health details: during a roll-out instances differ in it
 * @param clusters the state of each cluster of a majority, by its id; empty for other algorithms
 * @param named the probes of the application's other lockers, by their names
 * @param lockId which only this object uses
 */
public record LockProbe(
        RemoteLocker locker,
        String algorithm,
        Supplier<Map<String, String>> clusters,
        Map<String, LockProbe> named,
        Duration longestWait,
        String lockId) {

    /** A check must not hang, neither while a lazy start creates tables nor while Cassandra is slow. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** A locker has this time to report that it has waited for too long. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    public LockProbe(
            RemoteLocker locker,
            String algorithm,
            Supplier<Map<String, String>> clusters,
            Map<String, LockProbe> named) {
        this(locker, algorithm, clusters, named, LONGEST_WAIT, "cassandra-lock:health:" + UUID.randomUUID());
    }

    /**
     * What was found.
     *
     * @param problem why a locker, or a named one, can acquire no lock; empty if all can
     * @param details of the health, beside the exception
     */
    public record Result(Optional<RuntimeException> problem, Map<String, Object> details) {}

    /** Acquires and releases a lock of each locker, of all at the same time. Blocks for six seconds at most. */
    public Result check() {
        CompletableFuture<Optional<RuntimeException>> own = ask();
        Map<String, CompletableFuture<Optional<RuntimeException>>> others = new LinkedHashMap<>();
        named.forEach((name, probe) -> others.put(name, probe.ask()));
        Optional<RuntimeException> problem = own.join();
        Map<String, Object> details = details();
        Map<String, Object> lockers = new LinkedHashMap<>();
        for (Map.Entry<String, LockProbe> other : named.entrySet()) {
            Optional<RuntimeException> failure =
                    Objects.requireNonNull(others.get(other.getKey())).join();
            Map<String, Object> state = other.getValue().details();
            state.put("status", failure.isPresent() ? "DOWN" : "UP");
            failure.ifPresent(reason -> state.put("error", String.valueOf(reason.getMessage())));
            lockers.put(other.getKey(), state);
            problem = problem.or(() -> failure);
        }
        if (!lockers.isEmpty()) {
            details.put("lockers", lockers);
        }
        return new Result(problem, details);
    }

    private Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("algorithm", algorithm);
        Map<String, String> states = clusters.get();
        if (!states.isEmpty()) {
            details.put("clusters", states);
        }
        return details;
    }

    /**
     * Acquires and releases the lock. If a concurrent check of this instance holds it, locks work.
     *
     * @return completes soon after the longest wait, with the reason why no lock can be acquired; empty if one can
     */
    private CompletableFuture<Optional<RuntimeException>> ask() {
        RuntimeException silent = new LockTimeoutException(
                lockId,
                "The locker has not answered a request for lock '" + lockId + "' of the health check within "
                        + longestWait + " and a second. Look in the log and in a thread dump for what it waits for");
        return call().thenCompose(
                        lock -> lock.map(RemoteLock::closeAsync).orElse(CompletableFuture.completedFuture(null)))
                .handle((closed, failure) -> Optional.ofNullable(failure).map(LockProbe::problem))
                .completeOnTimeout(Optional.of(silent), longestWait.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
    }

    private CompletableFuture<Optional<RemoteLock>> call() {
        try {
            return locker.tryGetLockAsync(lockId, longestWait);
        } catch (LockException | IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static RuntimeException problem(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RuntimeException problem ? problem : new IllegalStateException(cause);
    }
}
