package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Grants a lock at once if it is free. If not, it refuses calls that do not wait, and lets all others wait for ever. */
final class GrantingAlgorithm implements LockAlgorithm {

    private final Set<String> held = ConcurrentHashMap.newKeySet();

    @Override
    public String getName() {
        return "granting";
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        Optional<Grant> free =
                held.add(request.lockId()) ? Optional.of(new Granted(request.lockId())) : Optional.empty();
        return free.isEmpty() && request.waits() ? new Endless() : new Ended(free);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.completedFuture(null);
    }

    private record Ended(Optional<Grant> answer) implements Attempt {

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public void giveUp() {}
    }

    private record Endless(CompletableFuture<Optional<Grant>> outcome) implements Attempt {

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return outcome;
        }

        Endless() {
            this(new CompletableFuture<>());
        }

        @Override
        public void giveUp() {}
    }

    private final class Granted implements Grant {

        private final String lockId;
        private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();

        Granted(String lockId) {
            this.lockId = lockId;
        }

        @Override
        public boolean isValid() {
            return !lost.isDone();
        }

        @Override
        public CompletionStage<LockLoss> getLoss() {
            return lost;
        }

        @Override
        public CompletionStage<Long> reserveFencingToken() {
            return CompletableFuture.completedFuture(1L);
        }

        @Override
        public void abandon(LockLoss loss) {
            lost.complete(loss);
        }

        @Override
        public CompletionStage<Void> release() {
            held.remove(lockId);
            return CompletableFuture.completedFuture(null);
        }
    }
}
