package io.github.cassandralock.internal.locker.path;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.Attempt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * The nodes of hierarchies that the owners of this process hold, each once (docs/lock-modes.md, rule 9). Otherwise an owner that
 * requests a second path would queue for the common nodes. Others that wait for its first path may be ahead. Thread-safe.
 */
public final class PathNodes {

    private record Key(LockOwner owner, String lockId) {}

    private final ConcurrentMap<Key, PathNode> nodes = new ConcurrentHashMap<>();
    private final Ticker ticker;

    public PathNodes(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * Begins to use a node: it is counted if the owner holds it already, and taken otherwise.
     *
     * @param waits whether the call waits for others
     * @param take begins to take the node, or tries to
     */
    public Attempt use(LockOwner owner, LockRequest request, boolean waits, Supplier<Attempt> take) {
        Key key = new Key(owner, request.getLockId());
        NodeCall call = new NodeCall(owner, request.getMode(), waits, take, again -> ask(key, again), ticker);
        ask(key, call);
        return call;
    }

    private void ask(Key key, NodeCall call) {
        nodes.computeIfAbsent(key, absent -> new PathNode(key.lockId(), over -> nodes.remove(key, over)))
                .asked(call);
    }

    /** Declares all grants lost. */
    public void abandonAll(LockLoss loss) {
        nodes.values().forEach(node -> node.abandon(loss));
    }
}
