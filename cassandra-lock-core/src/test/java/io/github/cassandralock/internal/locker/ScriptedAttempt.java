package io.github.cassandralock.internal.locker;

import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An attempt that ends when the test completes its outcome. */
final class ScriptedAttempt implements Attempt {

    final String lockId;
    final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    final CompletableFuture<Void> wait = new CompletableFuture<>();
    final ScriptedGrant grant = new ScriptedGrant();
    volatile boolean givenUp;
    volatile Runnable whileGivingUp = () -> {};
    volatile Runnable whileTimingOut = () -> {};
    volatile Optional<Obstacle> obstacle = Optional.empty();

    ScriptedAttempt(String lockId) {
        this.lockId = lockId;
    }

    @Override
    public Optional<Obstacle> getObstacle() {
        whileTimingOut.run();
        return obstacle;
    }

    @Override
    public CompletionStage<Optional<Grant>> getOutcome() {
        return outcome;
    }

    @Override
    public CompletionStage<Void> getWait() {
        return wait;
    }

    @Override
    public void giveUp() {
        givenUp = true;
        whileGivingUp.run();
    }
}
