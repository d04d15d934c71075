package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One thread of this process that wants the lock. */
final class Waiter implements Attempt {

    private final boolean soft;
    private final long arrivedAt;
    private final Consumer<Waiter> leave;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private volatile Supplier<Optional<Obstacle>> obstacle = Optional::empty;
    private volatile boolean givenUp;

    /**
     * @param soft whether it is refused if the lock is not free
     * @param leave receives this waiter when it gives up
     */
    Waiter(boolean soft, long arrivedAt, Consumer<Waiter> leave) {
        this.soft = soft;
        this.arrivedAt = arrivedAt;
        this.leave = leave;
    }

    @Override
    public CompletionStage<Optional<Grant>> outcome() {
        return outcome;
    }

    @Override
    public Optional<Obstacle> obstacle() {
        return obstacle.get();
    }

    /** @param obstacle returns why the waiter does not have the lock yet; may be called from any thread */
    void queuedBehind(Supplier<Optional<Obstacle>> obstacle) {
        this.obstacle = obstacle;
    }

    @Override
    public void giveUp() {
        givenUp = true;
        leave.accept(this);
    }

    boolean hasGivenUp() {
        return givenUp;
    }

    boolean isSoft() {
        return soft;
    }

    long arrivedAt() {
        return arrivedAt;
    }

    void granted(Grant grant) {
        outcome.complete(Optional.of(grant));
    }

    void refused() {
        outcome.complete(Optional.empty());
    }

    void cancelled() {
        failed(new CancellationException("the caller gave up"));
    }

    void failed(Throwable cause) {
        outcome.completeExceptionally(cause);
    }
}
