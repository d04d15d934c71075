package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of hierarchies that the owners of this process hold, each once (docs/lock-modes.md, rule 9). Without this, an owner that
 * asks for a second path would queue for their common nodes, behind others that wait for its first path. Thread-safe.
 */
final class PathNodes {

    private record Key(LockOwner owner, String lockId) {}

    /** How a call takes a node, and converts one that its owner holds already. */
    private record Manner(
            LockMode mode, Supplier<Attempt> take, BiFunction<Grant, LockMode, Attempt> convert, boolean waits) {}

    private final ConcurrentMap<Key, PathNode> nodes = new ConcurrentHashMap<>();

    /**
     * Begins to use a node, and waits if others hold it: counts, if the owner holds it already, and takes it otherwise.
     *
     * @param take begins to take it
     */
    Attempt acquire(LockOwner owner, String lockId, LockMode mode, Supplier<Attempt> take) {
        return ask(new Key(owner, lockId), new Manner(mode, take, Grant::convert, true));
    }

    /**
     * The same without waiting.
     *
     * @param take tries to take it
     */
    Attempt tryAcquire(LockOwner owner, String lockId, LockMode mode, Supplier<Attempt> take) {
        return ask(new Key(owner, lockId), new Manner(mode, take, Grant::tryConvert, false));
    }

    private Attempt ask(Key key, Manner manner) {
        PathNode fresh = new PathNode(manner.mode(), () -> forget(key));
        Later later = new Later();
        Runnable again = () -> later.begin(() -> ask(key, manner));
        for (; ; ) {
            PathNode present = nodes.putIfAbsent(key, fresh);
            if (present == null) {
                return taking(fresh, manner.take());
            }
            PathNode.Answer answer = present.use(manner.mode(), manner.convert(), manner.waits(), again);
            if (answer instanceof PathNode.Answer.Begun begun) {
                return begun.attempt();
            } else if (answer instanceof PathNode.Answer.Waits) {
                return later;
            } else if (answer instanceof PathNode.Answer.Refused) {
                later.outcome.complete(Optional.empty());
                return later;
            }
            nodes.remove(key, present);
        }
    }

    /** All leases are lost. */
    void lose(String reason) {
        nodes.values().forEach(node -> node.abandon(reason));
    }

    private static Attempt taking(PathNode node, Supplier<Attempt> take) {
        Attempt attempt;
        try {
            attempt = take.get();
        } catch (RuntimeException | Error e) {
            node.notTaken();
            throw e;
        }
        return node.take(attempt);
    }

    private void forget(Key key) {
        nodes.computeIfPresent(key, (same, node) -> node.isOver() ? null : node);
    }

    /** An attempt that begins when another call of the same owner has ended. */
    private static final class Later implements Attempt {

        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        private volatile @Nullable Attempt begun;

        void begin(Supplier<Attempt> beginning) {
            if (outcome.isDone()) {
                return;
            }
            try {
                Attempt attempt = beginning.get();
                begun = attempt;
                attempt.outcome().whenComplete(this::ended);
                if (outcome.isDone()) {
                    attempt.giveUp();
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
            return attempt == null ? Optional.empty() : attempt.obstacle();
        }

        @Override
        public void giveUp() {
            Attempt attempt = begun;
            if (attempt != null) {
                attempt.giveUp();
            } else {
                outcome.completeExceptionally(new CancellationException("the call was given up"));
            }
        }
    }
}
