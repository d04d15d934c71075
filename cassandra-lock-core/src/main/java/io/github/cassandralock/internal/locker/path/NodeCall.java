package io.github.cassandralock.internal.locker.path;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of an owner for a node. It waits for other calls of its owner, or for an attempt of the algorithm. Thread-safe. */
final class NodeCall implements Attempt {

    private final LockOwner owner;
    private final LockMode mode;
    private final boolean waits;
    private final Supplier<Attempt> take;
    private final Consumer<NodeCall> ask;
    private final Ticker ticker;
    private final long since;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();

    /** The node at which it waits for other calls; null if it has not waited. */
    private volatile @Nullable PathNode waitsAt;

    /** The attempt that is made for it; null if there is none. */
    private volatile @Nullable Attempt attempt;

    /**
     * @param waits whether the call waits for others
     * @param take begins to take the node, or tries to
     * @param ask requests the node
     */
    NodeCall(
            LockOwner owner,
            LockMode mode,
            boolean waits,
            Supplier<Attempt> take,
            Consumer<NodeCall> ask,
            Ticker ticker) {
        this.owner = owner;
        this.mode = mode;
        this.waits = waits;
        this.take = take;
        this.ask = ask;
        this.ticker = ticker;
        this.since = ticker.nanos();
    }

    LockMode mode() {
        return mode;
    }

    boolean waits() {
        return waits;
    }

    Attempt take() {
        return take.get();
    }

    /** Requests the node again, because it was released or lost. */
    void askAgain() {
        ask.accept(this);
    }

    void waitAt(PathNode node) {
        waitsAt = node;
    }

    /** Follows an attempt that is made for the call. */
    void follow(Attempt begun) {
        attempt = begun;
        if (outcome.isDone()) {
            begun.giveUp();
        }
    }

    void granted(Grant use) {
        if (!outcome.complete(Optional.of(use))) {
            use.release();
        }
    }

    /** @param failure null if the call was refused */
    void notGranted(@Nullable Throwable failure) {
        if (failure == null) {
            outcome.complete(Optional.empty());
        } else {
            outcome.completeExceptionally(failure);
        }
    }

    boolean hasEnded() {
        return outcome.isDone();
    }

    @Override
    public CompletionStage<Optional<Grant>> getOutcome() {
        return outcome;
    }

    @Override
    public Optional<Obstacle> getObstacle() {
        Attempt present = attempt;
        return present == null
                ? Optional.of(new Obstacle.Taken(
                        Optional.of("another call of " + owner + ", or stays taken for its minimum time,"),
                        Duration.ofNanos(ticker.nanos() - since)))
                : present.getObstacle();
    }

    @Override
    public void giveUp() {
        if (attempt == null) {
            outcome.completeExceptionally(new CancellationException("the call was given up"));
            PathNode node = waitsAt;
            if (node != null) {
                node.cancelled(this);
            }
        }
        Attempt present = attempt;
        if (present != null) {
            present.giveUp();
        }
    }
}
