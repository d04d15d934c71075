package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The nodes of hierarchies that the owners of this process hold, each once (docs/lock-modes.md, rule 9). Without this, an owner that
 * asks for a second path would queue for their common nodes, behind others that wait for its first path. Thread-safe.
 */
final class PathNodes {

    private record Key(LockOwner owner, String lockId) {}

    private final ConcurrentMap<Key, PathNode> nodes = new ConcurrentHashMap<>();

    /**
     * Begins to use a node: counts, if the owner holds it already, and takes it otherwise.
     *
     * @param take begins to take it
     * @param convert begins the conversion of what the owner holds to a stronger mode
     * @throws IllegalStateException if another call of the same owner for the node is under way
     */
    Attempt ask(
            LockOwner owner,
            String lockId,
            LockMode mode,
            Supplier<Attempt> take,
            BiFunction<Grant, LockMode, Attempt> convert) {
        Key key = new Key(owner, lockId);
        PathNode fresh = new PathNode(lockId, mode, () -> forget(key));
        for (; ; ) {
            PathNode present = nodes.putIfAbsent(key, fresh);
            if (present == null) {
                return taking(fresh, take);
            }
            Optional<Attempt> use = present.use(mode, convert);
            if (use.isPresent()) {
                return use.get();
            }
            nodes.remove(key, present);
        }
    }

    private static Attempt taking(PathNode node, Supplier<Attempt> take) {
        try {
            return node.take(take.get());
        } catch (RuntimeException | Error e) {
            node.notTaken();
            throw e;
        }
    }

    private void forget(Key key) {
        nodes.computeIfPresent(key, (same, node) -> node.isOver() ? null : node);
    }
}
