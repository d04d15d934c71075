package io.github.cassandralock.internal.test;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.locker.held.ForwardingGrant;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** An algorithm whose grants a test can take away. Delegates everything else. Thread-safe. */
public final class LosableAlgorithm implements LockAlgorithm {

    private final LockAlgorithm algorithm;
    private final ConcurrentMap<String, Set<Grant>> granted = new ConcurrentHashMap<>();

    public LosableAlgorithm(LockAlgorithm algorithm) {
        this.algorithm = algorithm;
    }

    @Override
    public String getName() {
        return algorithm.getName();
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        return tracked(request.lockId(), algorithm.acquire(request));
    }

    @Override
    public boolean supports(LockMode mode) {
        return algorithm.supports(mode);
    }

    @Override
    public boolean keepsValues() {
        return algorithm.keepsValues();
    }

    @Override
    public boolean supportsPermits() {
        return algorithm.supportsPermits();
    }

    private Attempt tracked(String lockId, Attempt attempt) {
        return new TrackedAttempt(
                attempt, attempt.getOutcome().thenApply(outcome -> outcome.map(grant -> granted(lockId, grant))));
    }

    private Grant granted(String lockId, Grant grant) {
        granted.compute(lockId, (id, grants) -> {
            Set<Grant> all = grants == null ? ConcurrentHashMap.newKeySet() : grants;
            all.add(grant);
            return all;
        });
        return new TrackedGrant(grant, () -> forget(lockId, grant));
    }

    private void forget(String lockId, Grant grant) {
        granted.computeIfPresent(lockId, (id, grants) -> {
            grants.remove(grant);
            return grants.isEmpty() ? null : grants;
        });
    }

    /** Whether a lock with this id is held, and was neither lost nor released. */
    public boolean isHeld(String lockId) {
        return granted.getOrDefault(lockId, Set.of()).stream().anyMatch(Grant::isValid);
    }

    /**
     * Takes the lock away from its holders for this reason, and frees it, as after the end of a lease. Returns false if it is not
     * held.
     */
    public boolean lose(String lockId, LockLoss loss) {
        boolean held = isHeld(lockId);
        Set<Grant> grants = granted.remove(lockId);
        if (grants != null) {
            grants.forEach(grant -> {
                grant.abandon(loss);
                grant.release();
            });
        }
        return held;
    }

    /** Takes all locks away from their holders, as {@link #lose} does. */
    public void loseAll(LockLoss loss) {
        List.copyOf(granted.keySet()).forEach(lockId -> lose(lockId, loss));
    }

    @Override
    public void abandonAll(LockLoss loss) {
        algorithm.abandonAll(loss);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return algorithm.closeAsync();
    }

    private record TrackedAttempt(Attempt attempt, CompletionStage<Optional<Grant>> outcome) implements Attempt {

        @Override
        public CompletionStage<Void> getWait() {
            return attempt.getWait();
        }

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return outcome;
        }

        @Override
        public Optional<Obstacle> getObstacle() {
            return attempt.getObstacle();
        }

        @Override
        public void giveUp() {
            attempt.giveUp();
        }
    }

    private record TrackedGrant(Grant grant, Runnable released) implements ForwardingGrant {

        @Override
        public boolean isValid() {
            return grant.isValid();
        }

        @Override
        public CompletionStage<LockLoss> getLoss() {
            return grant.getLoss();
        }

        @Override
        public Attempt convert(LockMode mode) {
            return grant.convert(mode);
        }

        @Override
        public Attempt tryConvert(LockMode mode) {
            return grant.tryConvert(mode);
        }

        @Override
        public void abandon(LockLoss loss) {
            grant.abandon(loss);
        }

        @Override
        public CompletionStage<Void> release() {
            released.run();
            return grant.release();
        }

        @Override
        public CompletionStage<Void> keepTaken(Duration atLeast) {
            return grant.keepTaken(atLeast);
        }
    }
}
