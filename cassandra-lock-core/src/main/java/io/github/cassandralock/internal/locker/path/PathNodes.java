package io.github.cassandralock.internal.locker.path;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of hierarchies that the owners of this process hold, each once (docs/lock-modes.md, rule 9). Without this, an owner that
 * asks for a second path would queue for their common nodes, behind others that wait for its first path. Thread-safe.
 */
public final class PathNodes {

    private record Key(LockOwner owner, String lockId) {}

    private final ConcurrentMap<Key, PathNode> nodes = new ConcurrentHashMap<>();
    private final Ticker ticker;

    public PathNodes(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * Begins to use a node: counts, if the owner holds it already, and takes it otherwise.
     *
     * @param waits whether it waits for others
     * @param take begins to take the node, or tries to
     */
    public Attempt use(LockOwner owner, LockRequest request, boolean waits, Supplier<Attempt> take) {
        return new Call(new Key(owner, request.lockId()), request.mode(), waits, take).begin();
    }

    /** All leases are lost. */
    public void abandonAll(String reason) {
        nodes.values().forEach(node -> node.abandon(reason));
    }

    private void forget(Key key) {
        nodes.computeIfPresent(key, (same, node) -> node.isOver() ? null : node);
    }

    /** One call for a node. If it has to wait for another call of the same owner, it is the attempt itself. */
    private final class Call implements Attempt {

        private final Key key;
        private final LockMode mode;
        private final boolean waits;
        private final Supplier<Attempt> take;
        private final long since = ticker.nanos();
        private final Runnable again = this::goOn;
        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        private volatile @Nullable PathNode waitsAt;
        private volatile @Nullable Attempt begun;

        Call(Key key, LockMode mode, boolean waits, Supplier<Attempt> take) {
            this.key = key;
            this.mode = mode;
            this.waits = waits;
            this.take = take;
        }

        Attempt begin() {
            PathNode fresh = new PathNode(key.lockId(), mode, () -> forget(key));
            for (; ; ) {
                PathNode present = nodes.putIfAbsent(key, fresh);
                if (present == null) {
                    return taking(fresh);
                }
                PathNode.Answer answer = present.use(mode, waits, again);
                if (answer instanceof PathNode.Answer.Begun begins) {
                    return begins.attempt();
                } else if (answer instanceof PathNode.Answer.Waits) {
                    waitsAt = present;
                    return this;
                } else if (answer instanceof PathNode.Answer.Refused) {
                    outcome.complete(Optional.empty());
                    return this;
                }
                nodes.remove(key, present);
            }
        }

        private Attempt taking(PathNode node) {
            Attempt attempt;
            try {
                attempt = take.get();
            } catch (RuntimeException | Error e) {
                node.notTaken();
                throw e;
            }
            return node.take(attempt);
        }

        /** Something has changed at the node. */
        private void goOn() {
            if (outcome.isDone()) {
                return;
            }
            try {
                Attempt attempt = begin();
                if (attempt != this) {
                    begun = attempt;
                    attempt.outcome().whenComplete(this::ended);
                }
                if (outcome.isDone()) {
                    giveUp();
                }
            } catch (RuntimeException | Error e) {
                outcome.completeExceptionally(e);
            }
        }

        private void ended(@Nullable Optional<Grant> granted, @Nullable Throwable failure) {
            if (granted == null) {
                outcome.completeExceptionally(
                        failure == null ? new IllegalStateException("The attempt has no outcome") : failure);
            } else if (!outcome.complete(granted)) {
                granted.ifPresent(Grant::release);
            }
        }

        @Override
        public CompletionStage<Optional<Grant>> outcome() {
            return outcome;
        }

        @Override
        public Optional<Obstacle> obstacle() {
            Attempt attempt = begun;
            return attempt == null
                    ? Optional.of(new Obstacle.Taken(
                            Optional.of("another call of " + key.owner() + ", or stays taken for its minimum time,"),
                            Duration.ofNanos(ticker.nanos() - since)))
                    : attempt.obstacle();
        }

        @Override
        public void giveUp() {
            Attempt attempt = begun;
            if (attempt != null) {
                attempt.giveUp();
                return;
            }
            outcome.completeExceptionally(new CancellationException("the call was given up"));
            PathNode node = waitsAt;
            if (node != null) {
                node.withdraw(again);
            }
        }
    }
}
