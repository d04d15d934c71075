package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** An algorithm whose attempts and grants do what the test asks for. */
final class ScriptedAlgorithm implements LockAlgorithm {

    final List<ScriptedAttempt> attempts = new CopyOnWriteArrayList<>();
    volatile boolean grantAtOnce;
    volatile Runnable whileAsked = () -> {};
    volatile CompletableFuture<Void> end = CompletableFuture.completedFuture(null);
    volatile boolean closed;
    volatile String abandoned = "";

    @Override
    public void abandonAll(LockLoss loss) {
        abandoned = loss.text();
    }

    @Override
    public String getName() {
        return "scripted";
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        ScriptedAttempt attempt = new ScriptedAttempt(request.lockId());
        attempts.add(attempt);
        whileAsked.run();
        if (grantAtOnce) {
            attempt.outcome.complete(Optional.of(attempt.grant));
        }
        return attempt;
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        closed = true;
        return end;
    }
}
