package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Gives one and the same grant to every request, at once.
 *
 * @param supported the modes besides EXCLUSIVE
 */
record GrantingAlgorithm(Grant grant, Predicate<LockMode> supported) implements LockAlgorithm {

    @Override
    public String getName() {
        return "granting";
    }

    @Override
    public boolean supports(LockMode mode) {
        return mode == LockMode.EXCLUSIVE || supported.test(mode);
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        return new Granted(grant);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.completedFuture(null);
    }

    private record Granted(Grant grant) implements Attempt {

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return CompletableFuture.completedFuture(Optional.of(grant));
        }

        @Override
        public void giveUp() {}
    }
}
